// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/conv1x1.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/dnnl_call.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/cpu_level.h"

namespace scalebench::kernels::cpu {

namespace {

/// compact [N,outH,outW,C] = every stride-th pixel of x.
void gatherPixels(const Conv2dParams& p, const std::byte* x, std::byte* compact)
{
    const std::int64_t outH = p.outH(), outW = p.outW();
    const std::size_t pixel = std::size_t(p.C) * dtypeBytes(p.dtype);
    parallelFor(p.N * outH, [&](std::int64_t row) {
        const std::int64_t n = row / outH, h = row % outH * p.stride;
        const std::byte* from = x + std::size_t((n * p.H + h) * p.W) * pixel;
        std::byte* to = compact + std::size_t(row * outW) * pixel;
        for (std::int64_t w = 0; w < outW; ++w)
            std::memcpy(to + std::size_t(w) * pixel, from + std::size_t(w * p.stride) * pixel,
                        pixel);
    });
}

/// dx = compact at every stride-th pixel, zero between them.
void spreadPixels(const Conv2dParams& p, const std::byte* compact, std::byte* dx)
{
    const std::int64_t outH = p.outH(), outW = p.outW();
    const std::size_t pixel = std::size_t(p.C) * dtypeBytes(p.dtype);
    parallelFor(p.N * p.H, [&](std::int64_t row) {
        const std::int64_t n = row / p.H, h = row % p.H;
        std::byte* to = dx + std::size_t(row * p.W) * pixel;
        if (h % p.stride != 0 || h / p.stride >= outH) {
            std::memset(to, 0, std::size_t(p.W) * pixel);
            return;
        }
        const std::byte* from = compact + std::size_t((n * outH + h / p.stride) * outW) * pixel;
        for (std::int64_t w = 0; w < outW; ++w) {
            const std::int64_t end = w + 1 < outW ? (w + 1) * p.stride : p.W;
            std::byte* at = to + std::size_t(w * p.stride) * pixel;
            std::memcpy(at, from + std::size_t(w) * pixel, pixel);
            std::memset(at + pixel, 0, std::size_t(end - w * p.stride - 1) * pixel);
        }
    });
}

// Which products may be our own: from so many weights on. GFLOP/s of one core with a peak of 118
// (Zen 4 class; "AVX2" is the same core with both capped), batch 8, ours and oneDNN 2.6.3 (forward
// its convolution), as forward / data gradient / weight gradient:
//
//   picture, channels       AVX2: ours, oneDNN                AVX-512: ours, oneDNN
//   56x56, 64 to 64         82/80/63    91/81/72              74/70/70      104/95/82
//   56x56, 64 to 256        92/81/67    91/78/89              75/85/68      93/88/77
//   56x56, 256 to 64        69/63/79    75/96/97              85/69/80      89/94/85
//   56x56, 256 to 128       94/102/89   89/91/89              97/102/89     95/96/94
//   56x56, 256 to 512, /2   99/89/92    101/84/73             99/92/94      99/91/89
//   28x28, 128 to 512       103/98/88   103/83/71             102/97/91     100/104/89
//   28x28, 512 to 128       96/100/92   95/101/72             96/106/95     107/102/93
//   14x14, 256 to 1024      108/105/102 92/76/38              108/103/99    104/110/99
//   14x14, 1024 to 256      107/107/100 106/104/52            103/110/103   109/110/98
//   7x7, 512 to 2048        105/101/105 105/67/89             108/104/105   109/107/100
//   7x7, 2048 to 512        105/108/104 106/93/84             107/108/105   110/108/98
//
// With stride 2, forward, since fp32 has panels (ms, AVX-512): 56x56, 256 to 512 16.7 and 15.8;
// 28x28, 512 to 1024 16.0 and 22.6 to 25.9; 14x14, 1024 to 2048 15.9 and 16.3 to 17.4.
//
// In bf16 (AVX512_BF16 without AMX) all are products of panels, forward from some size on. GFLOP/s
// of one core with a peak of 517 (Zen 5 class), batch 8, operands outside the caches, ours and
// oneDNN 2.6.3:
//
//   56x56, 64 to 64       328   182     28x28, 128 to 512     409   298
//   56x56, 256 to 64      361   267     28x28, 512 to 256     448   407
//   56x56, 64 to 256      357   215     14x14, 1024 to 256    426   420
//   56x56, 256 to 128     415   325     7x7, 2048 to 512      447   430
constexpr std::int64_t kNever = std::int64_t{1} << 62;
struct FewestWeights {
    std::int64_t forward = kNever, strided = kNever; ///< strided: forward, stride of more than 1
    std::int64_t data = kNever, weight = kNever;
};
constexpr FewestWeights kFewestWithAvx2{1 << 15, 1 << 15, 1 << 15, 1 << 15};
constexpr FewestWeights kFewestWithAvx512{kNever, 1 << 17, kNever, 1 << 16};

// With AMX all three are rows of pixels by panels of the weight, where MatmulPlan has its own for
// that depth.
constexpr FewestWeights kFewestWithAmx{0, 0, 0, 0};

// With AVX512_BF16, Zen 4: forward alike from 2^15 weights on (strided 0.96, smaller ones 1.03 to
// 1.06), and its weight is packed in 0.3 ns a number where oneDNN's reorder takes 1.3.
constexpr FewestWeights kFewestWithPairs{1 << 15, 1 << 15, kNever, 0};

FewestWeights fewestWeights(DType type)
{
    if (type == DType::BF16 && tile::amxAvailable())
        return kFewestWithAmx;
    if (type == DType::BF16)
        return kFewestWithPairs;
    switch (cpuLevel()) {
    case CpuLevel::Avx512:
        return kFewestWithAvx512;
    case CpuLevel::Avx2:
        return kFewestWithAvx2;
    case CpuLevel::Sse:
        break;
    }
    return {};
}

MatmulParams forwardProductOf(const Conv2dParams& p)
{
    MatmulParams m;
    m.M = p.N * p.outH() * p.outW(), m.N = p.K, m.K = p.C;
    m.inputType = m.outputType = p.dtype;
    m.transB = m.packedB = true;
    m.bias = p.bias;
    m.activation = p.relu ? Activation::Relu : Activation::None;
    return m;
}

} // namespace

bool isPointwise(const Conv2dParams& p)
{
    return p.R == 1 && p.S == 1 && p.padding == 0 && p.groups == 1;
}

bool PointwiseConvolution::suitsForward(const Conv2dParams& p)
{
    const FewestWeights own = fewestWeights(p.dtype);
    const bool strided = p.stride > 1 && p.dtype == DType::F32;
    return isPointwise(p) && p.C * p.K >= (strided ? own.strided : own.forward) &&
           MatmulPlan::isOwn(forwardProductOf(p));
}

PointwiseConvolution::PointwiseConvolution(const Conv2dParams& p, bool needData) : params_(p)
{
    const std::int64_t pixels = p.N * p.outH() * p.outW(), weights = p.C * p.K;
    const FewestWeights own = fewestWeights(p.dtype);
    if (suitsForward(p))
        forward_.emplace(forwardProductOf(p));
    if (needData) {
        MatmulParams data;
        data.M = pixels, data.N = p.C, data.K = p.K;
        data.inputType = data.outputType = p.dtype;
        data.packedB = true;
        data_.emplace(data, weights >= own.data);
    }
    MatmulParams weight;
    weight.M = p.K, weight.N = p.C, weight.K = pixels;
    weight.inputType = p.dtype;
    weight.transA = true;
    weight_.emplace(weight, p.dtype == DType::BF16 || weights >= own.weight);
    for (const std::optional<MatmulPlan>* plan : {&forward_, &data_, &weight_})
        if (*plan)
            productBytes_ = std::max(productBytes_, roundUpTo64((*plan)->workspaceBytes()));
    if (p.stride > 1)
        compactBytes_ = roundUpTo64(std::size_t(pixels * p.C) * dtypeBytes(p.dtype));
}

const void* PointwiseConvolution::kept(const void* x, void* workspace) const
{
    if (params_.stride == 1)
        return x;
    gatherPixels(params_, static_cast<const std::byte*>(x),
                 static_cast<std::byte*>(compact(workspace)));
    return compact(workspace);
}

void PointwiseConvolution::forward(const void* x, const void* packed, const float* bias, void* y,
                                   void* workspace) const
{
    forward_->run(kept(x, workspace), packed, bias, y, workspace);
}

void PointwiseConvolution::dataGradient(const void* dy, const void* packed, void* dx,
                                        void* workspace) const
{
    const bool strided = params_.stride > 1;
    data_->run(dy, packed, nullptr, strided ? compact(workspace) : dx, workspace);
    if (strided)
        spreadPixels(params_, static_cast<const std::byte*>(compact(workspace)),
                     static_cast<std::byte*>(dx));
}

void PointwiseConvolution::weightGradient(const void* x, const void* dy, float* dw,
                                          void* workspace) const
{
    weight_->run(dy, kept(x, workspace), nullptr, dw, workspace);
}

} // namespace scalebench::kernels::cpu
