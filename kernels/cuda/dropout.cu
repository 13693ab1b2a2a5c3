// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/dropout.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"
#include "kernels/formula/dropout.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWords = 4; // of a Philox counter
constexpr int kLanes = int(formula::kDropoutLanes);

struct Mask {
    std::uint64_t seed, stream, offset;
    std::uint32_t threshold;
    float scale;
};

/// A thread takes N counters side by side, all four words of each: N elements at each of four
/// places, 16 elements apart. `work` counts such shares from the group that holds the first element
/// on; `offset` is a multiple of N.
template <int N, bool Add, class T>
__global__ void __launch_bounds__(kThreads)
    dropoutKernel(std::int64_t n, std::int64_t work, Mask mask, const T* x, const T* residual, T* y)
{
    constexpr int kShares = kLanes / N; // of a group
    const std::uint64_t firstGroup = mask.offset / formula::kDropoutGroup;
    for (std::int64_t share = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; share < work;
         share += std::int64_t(gridDim.x) * kThreads) {
        const std::uint64_t group = firstGroup + std::uint64_t(share / kShares);
        const int lane = int(share % kShares) * N;
        const std::int64_t first =
            std::int64_t(group * formula::kDropoutGroup + std::uint64_t(lane) - mask.offset);
        formula::PhiloxWords words[N];
        SB_UNROLL
        for (int i = 0; i < N; ++i) {
            const std::uint64_t counter =
                group * formula::kDropoutLanes + std::uint64_t(lane) + std::uint64_t(i);
            words[i] = formula::philox4x32(
                {{std::uint32_t(counter), std::uint32_t(counter >> 32), std::uint32_t(mask.stream),
                  std::uint32_t(mask.stream >> 32)}},
                std::uint32_t(mask.seed), std::uint32_t(mask.seed >> 32));
        }
        auto apply = [&](int w, int i, float v, float r) {
            const float f = formula::dropoutFactor(words[i].w[w], mask.threshold, mask.scale);
            return Add ? r + v * f : v * f;
        };
        float v[kWords][N], r[kWords][N] = {};
        SB_UNROLL
        for (int w = 0; w < kWords; ++w) {
            const std::int64_t at = first + w * kLanes;
            if (at >= 0 && at + N <= n) {
                loadFloats<N>(x + at, v[w]);
                if constexpr (Add)
                    loadFloats<N>(residual + at, r[w]);
            }
        }
        SB_UNROLL
        for (int w = 0; w < kWords; ++w) {
            const std::int64_t at = first + w * kLanes;
            if (at >= 0 && at + N <= n) {
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    v[w][i] = apply(w, i, v[w][i], r[w][i]);
                storeFloats<N>(y + at, v[w]);
            } else if (at >= 0 && at < n) { // the last few
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    if (at + i < n)
                        y[at + i] = fromFloat<T>(apply(w, i, toFloat(x[at + i]),
                                                       Add ? toFloat(residual[at + i]) : 0.0f));
            }
        }
    }
}

template <int N, bool Add, class T>
void start(const DropoutParams& p, const void* x, const void* residual, void* y,
           cudaStream_t stream)
{
    const Mask mask{p.seed, p.stream, p.offset, formula::dropoutThreshold(p.probability),
                    formula::dropoutScale(p.probability)};
    const std::int64_t group = std::int64_t(formula::kDropoutGroup);
    const std::int64_t lead = std::int64_t(p.offset % formula::kDropoutGroup);
    const std::int64_t work = (lead + p.n + group - 1) / group * (kLanes / N);
    launch("dropout", stream, gridFor(work, kThreads), dropoutKernel<N, Add, T>, p.n, work, mask,
           static_cast<const T*>(x), static_cast<const T*>(residual), static_cast<T*>(y));
}

template <bool Add>
void run(const DropoutParams& p, const void* x, const void* residual, void* y, cudaStream_t stream)
{
    if (p.n == 0)
        return;
    withActivationType(p.dtype, "dropout", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (p.offset % std::uint64_t(kVector<T>) == 0 && aligned({x, residual, y}))
            start<kVector<T>, Add, T>(p, x, residual, y, stream);
        else
            start<1, Add, T>(p, x, residual, y, stream);
    });
}

} // namespace

void dropout(const DropoutParams& p, const void* x, void* y, cudaStream_t stream)
{
    run<false>(p, x, nullptr, y, stream);
}

void dropoutAdd(const DropoutParams& p, const void* x, const void* residual, void* y,
                cudaStream_t stream)
{
    run<true>(p, x, residual, y, stream);
}

} // namespace scalebench::kernels::cuda
