// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/convolution_graphs.h"

namespace scalebench::cuda_backend {
namespace {

std::string problemName(const Conv2dParams& p, ConvolutionKind kind, std::int64_t alignment)
{
    std::string text = p.describe();
    if (kind == ConvolutionKind::Data)
        text += " data gradient";
    else if (kind == ConvolutionKind::Weight)
        text += " weight gradient";
    return text + " aligned " + std::to_string(alignment);
}

} // namespace

CudnnGraph convolutionGraph(const Conv2dParams& p, ConvolutionKind kind, std::int64_t alignment)
{
    CudnnGraph graph(problemName(p, kind, alignment));
    const CudnnConvolution c{p.padding, p.stride, p.dilation};
    const auto x = graph.tensor(p.dtype, {p.N, p.C, p.H, p.W}, alignment);
    const auto w = graph.tensor(p.dtype, {p.K, p.C / p.groups, p.R, p.S}, alignment);
    const auto y = graph.tensor(p.dtype, {p.N, p.K, p.outH(), p.outW()}, alignment);
    if (kind == ConvolutionKind::Data) {
        graph.convolutionData(c, y, w, x);
        return graph;
    }
    if (kind == ConvolutionKind::Weight) {
        graph.convolutionWeight(c, x, y, w);
        return graph;
    }
    const auto between = [&] {
        return graph.tensor(DType::F32, {p.N, p.K, p.outH(), p.outW()}, alignment, true);
    };
    const CudnnGraph::Id bias = p.bias ? graph.tensor(p.dtype, {1, p.K, 1, 1}, alignment) : y;
    CudnnGraph::Id last = p.bias || p.relu ? between() : y;
    graph.convolution(c, x, w, last);
    if (p.bias) {
        const auto sum = p.relu ? between() : y;
        graph.add(last, bias, sum);
        last = sum;
    }
    if (p.relu)
        graph.relu(last, y);
    return graph;
}

} // namespace scalebench::cuda_backend
