// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/dropout.h"

#include "kernels/cuda/launch.h"
#include "kernels/cuda/pack.h"
#include "kernels/formula/dropout.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWords = 4; // of a Philox counter
constexpr int kLanes = int(formula::kDropoutLanes);

struct Mask {
    std::uint64_t seed, stream, offset;
    const std::uint64_t* step; // DropoutParams
    std::uint32_t threshold;
    float scale;
};

/// Which of the elements of N counters side by side are kept: bit w * N + i for word w of counter
/// i. As bits they need one register, where the words would need all of them.
template <int N>
__device__ __forceinline__ std::uint32_t keptBits(const Mask& mask, std::uint64_t counter)
{
    constexpr int kAtOnce = N < 4 ? N : 4;
    std::uint32_t kept = 0;
    for (int first = 0; first < N; first += kAtOnce) {
        formula::PhiloxWords words[kAtOnce];
        SB_UNROLL
        for (int i = 0; i < kAtOnce; ++i)
            words[i] = formula::dropoutCounter(mask.stream, 0, counter + std::uint64_t(first + i));
        formula::philox4x32(words, std::uint32_t(mask.seed), std::uint32_t(mask.seed >> 32));
        std::uint32_t some = 0;
        SB_UNROLL
        for (int k = 0; k < kAtOnce * kWords; ++k) {
            const int i = k / kWords, w = k % kWords;
            some |= std::uint32_t(words[i].w[w] >= mask.threshold) << (w * N + i);
        }
        kept |= some << first;
    }
    return kept;
}

/// A thread takes N counters side by side, all four words of each: N elements at each of four
/// places, 16 elements apart. `work` counts such shares from the group that holds the first element
/// on; `offset` is a multiple of N.
template <int N, bool Add, class T>
__global__ void __launch_bounds__(kThreads, 3)
    dropoutKernel(std::int64_t n, std::int64_t work, Mask mask, const T* x, const T* residual, T* y)
{
    constexpr int kShares = kLanes / N; // of a group
    if (mask.step != nullptr)
        mask.seed = formula::drawnSeed(*mask.step, mask.seed);
    const std::uint64_t firstGroup = mask.offset / formula::kDropoutGroup;
    for (std::int64_t share = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; share < work;
         share += std::int64_t(gridDim.x) * kThreads) {
        const std::uint64_t group = firstGroup + std::uint64_t(share / kShares);
        const std::uint64_t lane = std::uint64_t(share % kShares) * N;
        const std::int64_t first =
            std::int64_t(group * formula::kDropoutGroup + lane - mask.offset);
        Pack<T, N> v[kWords] = {},
                   r[Add ? kWords : 1] = {}; // loads are under way while bits are drawn
        SB_UNROLL
        for (int w = 0; w < kWords; ++w) {
            const std::int64_t at = first + w * kLanes;
            if (at >= 0 && at + N <= n) {
                v[w] = loadPack<N>(x + at);
                if constexpr (Add)
                    r[w] = loadPack<N>(residual + at);
            }
        }
        const std::uint32_t kept = keptBits<N>(mask, group * formula::kDropoutLanes + lane);
        auto apply = [&](int w, int i, T value, T other) {
            const float f = kept >> (w * N + i) & 1u ? mask.scale : 0.0f;
            const float product = toFloat(value) * f;
            return fromFloat<T>(Add ? toFloat(other) + product : product);
        };
        SB_UNROLL
        for (int w = 0; w < kWords; ++w) {
            const std::int64_t at = first + w * kLanes;
            if (at >= 0 && at + N <= n) {
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    v[w].v[i] = apply(w, i, v[w].v[i], r[Add ? w : 0].v[i]);
                storePack(y + at, v[w]);
            } else if (at >= 0 && at < n) { // the last few
                for (int i = 0; at + i < n; ++i)
                    y[at + i] = apply(w, i, x[at + i], Add ? residual[at + i] : T{});
            }
        }
    }
}

template <int N, bool Add, class T>
void start(const DropoutParams& p, const void* x, const void* residual, void* y,
           cudaStream_t stream)
{
    const Mask mask{p.seed,
                    p.stream,
                    p.offset,
                    p.step,
                    formula::dropoutThreshold(p.probability),
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
