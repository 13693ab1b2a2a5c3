// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/softmax_ce.h"

#include "kernels/cuda/loss_sum.h"
#include "kernels/cuda/vector.h"
#include "kernels/formula/math.h"

#include <type_traits>

namespace scalebench::kernels::cuda {
namespace {

/// e^x for x <= 0. The hardware's: two of them per logit in software would take longer than the
/// logit's way through memory. Relative error 2e-7 + 1e-7 |x|.
__device__ __forceinline__ float exponential(float x)
{
#if defined(__CUDA_ARCH__)
    return __expf(x);
#else
    return formula::exp(x);
#endif
}

/// Calls f(length, c) for runs of `length` neighbouring elements c.. of a row, 16 bytes where they
/// lie on such a border; rows of an odd number of classes begin anywhere.
template <int N, int Lanes, class T, class F>
__device__ __forceinline__ void forRow(const T* row, int classes, const F& f)
{
    const std::integral_constant<int, 1> one;
    const int lane = int(threadIdx.x) % Lanes;
    int head = 0;
    if constexpr (N > 1) {
        head = int((16 - reinterpret_cast<std::uintptr_t>(row) % 16) % 16 / sizeof(T));
        head = head < classes ? head : classes;
        if (lane < head)
            f(one, lane);
    }
    const int runs = (classes - head) / N;
    SB_UNROLL_4
    for (int i = lane; i < runs; i += Lanes)
        f(std::integral_constant<int, N>(), head + i * N);
    const int rest = head + runs * N + lane;
    if (N > 1 && rest < classes)
        f(one, rest);
}

template <int Lanes>
__device__ __forceinline__ float rowMaximum(float v)
{
    if constexpr (Lanes == 32)
        return warpMax(v);
    else
        return blockMax(v);
}
template <int Lanes>
__device__ __forceinline__ float rowSum(float v)
{
    if constexpr (Lanes == 32)
        return warpSum(v);
    else
        return blockSum(v);
}
template <int Lanes>
__device__ __forceinline__ bool rowAny(bool v)
{
    if constexpr (Lanes == 32)
        return __any_sync(kAllLanes, v) != 0;
    else
        return __syncthreads_or(v) != 0;
}

/// What the first pass over a row finds.
struct RowState {
    float top = -3.0e38f; ///< largest number; finite, so that -inf minus it is not NaN
    float exps = 0.0f;    ///< sum exp(z - top); NaN if a logit is
    float logits = 0.0f;  ///< sum z
    bool beaten = false;  ///< another class is the first largest

    template <int N>
    __device__ __forceinline__ void take(const float (&z)[N], int c, int label, float zLabel)
    {
        float higher = top;
        SB_UNROLL
        for (int i = 0; i < N; ++i)
            higher = z[i] > higher ? z[i] : higher;
        exps *= exponential(top - higher);
        top = higher;
        SB_UNROLL
        for (int i = 0; i < N; ++i) {
            exps += exponential(z[i] - top);
            logits += z[i];
            beaten = beaten || !(z[i] < zLabel || (z[i] == zLabel && c + i >= label));
        }
    }
};

/// Lanes: threads of a row, a warp or the block. The row is read twice; the second time it mostly
/// comes from the caches.
template <int N, int Lanes, class T>
__global__ void __launch_bounds__(kLossThreads)
    softmaxCeKernel(SoftmaxCeParams p, const T* logits, const std::int32_t* labels, T* dlogits,
                    BadIndex bad, LossPart* parts)
{
    constexpr int kRows = kLossThreads / Lanes; // of a block at a time
    const int classes = int(p.classes);
    const float smooth = p.labelSmoothing, uniform = smooth / float(p.classes);
    const bool first = threadIdx.x % Lanes == 0;
    double loss = 0.0;
    int correct = 0, counted = 0;
    for (std::int64_t row = std::int64_t(blockIdx.x) * kRows + threadIdx.x / Lanes; row < p.N;
         row += std::int64_t(gridDim.x) * kRows) {
        const T* z = logits + row * p.classes;
        T* dz = dlogits ? dlogits + row * p.classes : nullptr;
        const std::int32_t label = labels[row];
        bool ignored = label < 0 || label == p.ignoreLabel;
        if (!ignored && label >= classes) { // the same for all threads of the row
            if (first)
                bad.check(row, label, classes);
            ignored = true;
        }
        if (ignored) {
            if (dz)
                forRow<N, Lanes>(z, classes, [&](auto length, int c) {
                    const float zero[length()] = {};
                    storeFloats<length()>(dz + c, zero);
                });
            continue;
        }
        const float zLabel = toFloat(z[label]);
        RowState state;
        forRow<N, Lanes>(z, classes, [&](auto length, int c) {
            float v[length()];
            loadFloats<length()>(z + c, v);
            state.take(v, c, label, zLabel);
        });
        const float top = rowMaximum<Lanes>(state.top);
        const float exps = rowSum<Lanes>(state.exps * exponential(state.top - top));
        const float sum = smooth > 0.0f ? rowSum<Lanes>(state.logits) : 0.0f;
        const bool beaten = rowAny<Lanes>(state.beaten);
        if (first) {
            // -sum t log p with log p = z - logSum and sum t = 1
            loss += double(top) + double(logf(exps)) - (1.0 - double(smooth)) * double(zLabel) -
                    double(uniform) * double(sum);
            correct += beaten ? 0 : 1;
            counted += 1;
        }
        if (!dz)
            continue;
        const float inverse = 1.0f / exps;
        forRow<N, Lanes>(z, classes, [&](auto length, int c) {
            float v[length()];
            loadFloats<length()>(z + c, v);
            SB_UNROLL
            for (int i = 0; i < length(); ++i) {
                const float target = uniform + (c + i == label ? 1.0f - smooth : 0.0f);
                v[i] = p.scale * (exponential(v[i] - top) * inverse - target);
            }
            storeFloats<length()>(dz + c, v);
        });
    }
    storeLossPart(parts, loss, correct, counted);
}

template <int N, int Lanes, class T>
void start(const SoftmaxCeParams& p, const void* logits, const std::int32_t* labels, void* dlogits,
           BadIndex bad, LossPart* parts, const Grid& grid, cudaStream_t stream)
{
    launch("softmax cross-entropy", stream, grid, softmaxCeKernel<N, Lanes, T>, p,
           static_cast<const T*>(logits), labels, static_cast<T*>(dlogits), bad, parts);
}

} // namespace

void softmaxCrossEntropy(const SoftmaxCeParams& p, const void* logits, const std::int32_t* labels,
                         void* dlogits, const LossTarget& target, BadIndex bad, void* scratch,
                         cudaStream_t stream)
{
    auto* parts = static_cast<LossPart*>(scratch);
    const bool warps = p.classes <= 1024;
    const Grid grid = lossGrid(p.N * (warps ? 32 : kLossThreads));
    withActivationType(p.dtype, "softmax cross-entropy", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        constexpr int kN = kVector<T>;
        const bool wide = aligned({logits, dlogits});
        if (warps && wide)
            start<kN, 32, T>(p, logits, labels, dlogits, bad, parts, grid, stream);
        else if (warps)
            start<1, 32, T>(p, logits, labels, dlogits, bad, parts, grid, stream);
        else if (wide)
            start<kN, kLossThreads, T>(p, logits, labels, dlogits, bad, parts, grid, stream);
        else
            start<1, kLossThreads, T>(p, logits, labels, dlogits, bad, parts, grid, stream);
    });
    joinLossParts(grid, parts, p.scale, target, stream);
}

} // namespace scalebench::kernels::cuda
