// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/dot_attention.h"

#include <algorithm>

#include "engine/backend/attention_arguments.h"

namespace scalebench::cuda_backend {
namespace {

constexpr std::size_t kMasksKept = 32;

AttentionParams checkedParams(const DotAttentionArgs& args, const TokenColumns& query,
                              const TokenColumns& key, const TokenColumns& value)
{
    for (const TokenColumns* c : {&query, &key, &value})
        requireActivation("attention", c->tokens, 0);
    return attentionParams(args, query, key, value);
}

bool equal(const std::vector<AttentionSegment>& a, const std::vector<AttentionSegment>& b)
{
    return std::ranges::equal(a, b, [](const AttentionSegment& x, const AttentionSegment& y) {
        return x.queryBegin == y.queryBegin && x.queryCount == y.queryCount &&
               x.keyBegin == y.keyBegin && x.keyCount == y.keyCount;
    });
}

bool capturing(cudaStream_t stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status != cudaStreamCaptureStatusNone;
}

} // namespace

const kernels::cuda::SegmentList& DotAttention::onDevice(const AttentionMask& mask)
{
    auto found = std::ranges::find(masks_, mask, &DeviceMask::mask);
    if (found == masks_.end())
        found = std::ranges::find_if(masks_,
                                     [&](const DeviceMask& m) { return equal(*m.mask, *mask); });
    if (found == masks_.end()) {
        DeviceMask entry{mask, context_.makeTable(std::span<const AttentionSegment>(*mask)), {}};
        entry.list.segments = static_cast<const AttentionSegment*>(entry.segments.data());
        entry.list.count = std::int64_t(mask->size());
        for (const AttentionSegment& s : *mask) {
            entry.list.queries += s.queryCount, entry.list.keys += s.keyCount;
            entry.list.maxQueries = std::max(entry.list.maxQueries, s.queryCount);
            entry.list.maxKeys = std::max(entry.list.maxKeys, s.keyCount);
        }
        const auto idle = [](const DeviceMask& m) { return !m.captured; };
        if (std::size_t(std::ranges::count_if(masks_, idle)) >= kMasksKept)
            masks_.erase(std::prev(std::find_if(masks_.rbegin(), masks_.rend(), idle).base()));
        found = masks_.insert(masks_.begin(), std::move(entry));
    }
    masks_.splice(masks_.begin(), masks_, found);
    found->captured |= capturing(context_.stream());
    return found->list;
}

kernels::cuda::AttentionDevice DotAttention::device() const
{
    return {context_.device().major, context_.device().sharedBytesPerBlock};
}

DotAttentionResult DotAttention::forward(const DotAttentionArgs& args, const TokenColumns& query,
                                         const TokenColumns& key, const TokenColumns& value,
                                         bool keep)
{
    const CudaContext::Timer timer(context_, "attention forward");
    const AttentionParams p = checkedParams(args, query, key, value);
    DotAttentionResult r;
    Shape shape = query.tokens.shape();
    shape.back() = p.heads * p.headDim;
    r.output = context_.make(std::move(shape), p.dtype);
    if (keep)
        r.logSumExp = context_.make({p.heads, p.queryRows}, DType::F32);
    kernels::cuda::attentionForward(p, onDevice(args.mask),
                                    {firstColumn(query), firstColumn(key), firstColumn(value),
                                     r.output.data(),
                                     keep ? static_cast<float*>(r.logSumExp.data()) : nullptr},
                                    device(), context_.stream());
    return r;
}

void DotAttention::backward(const DotAttentionArgs& args, const TokenColumns& query,
                            const TokenColumns& key, const TokenColumns& value,
                            const DotAttentionResult& forward, const Tensor& gradOutput,
                            const DotAttentionGradients& gradients)
{
    const CudaContext::Timer timer(context_, "attention backward");
    const AttentionParams p = checkedParams(args, query, key, value);
    requireAttentionGradients(query, key, value, forward, gradOutput, gradients);
    AttentionBackward b;
    b.q = firstColumn(query), b.k = firstColumn(key), b.v = firstColumn(value);
    b.o = forward.output.data();
    b.logSumExp = static_cast<const float*>(forward.logSumExp.data());
    b.dO = gradOutput.data();
    b.dq = firstColumn(gradients.query), b.dk = firstColumn(gradients.key);
    b.dv = firstColumn(gradients.value);
    kernels::cuda::attentionBackward(
        p, onDevice(args.mask), b, context_.workspace(kernels::cuda::attentionBackwardWorkspace(p)),
        device(), context_.stream());
}

} // namespace scalebench::cuda_backend
