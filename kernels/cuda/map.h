// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// y[i] = f(x0[i], x1[i], ...), the loop of all element by element kernels. F: a struct with
// __device__ float operator()(const float* x) const. y may be one of the x.

#include <cuda_runtime.h>

#include "kernels/cuda/index.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/vector.h"

namespace scalebench::kernels::cuda {

template <class F, int K, class T, class Out = T>
struct Map {
    F f;
    const T* x[K];
    Out* y;

    /// f of N elements that are there already.
    template <int N>
    __device__ __forceinline__ void finish(const float (&from)[K][N], Out* to) const
    {
        float result[N];
        SB_UNROLL
        for (int i = 0; i < N; ++i) {
            float v[K];
            SB_UNROLL
            for (int k = 0; k < K; ++k)
                v[k] = from[k][i];
            result[i] = f(v);
        }
        storeFloats<N>(to, result);
    }
};

inline constexpr int kMapThreads = 256;

/// A thread reads Runs runs of N elements before it writes the first: stores may be to the same
/// memory, so the compiler cannot put later loads before them.
template <int N, int Runs, class F, int K, class T, class Out>
__global__ void __launch_bounds__(kMapThreads)
    mapKernel(std::int64_t n, const Map<F, K, T, Out> map)
{
    const std::int64_t runs = n / N;
    const std::int64_t step = std::int64_t(gridDim.x) * kMapThreads * Runs;
    for (std::int64_t first = std::int64_t(blockIdx.x) * kMapThreads * Runs + threadIdx.x;
         first < runs; first += step) {
        float v[Runs][K][N];
        SB_UNROLL
        for (int r = 0; r < Runs; ++r)
            if (first + r * kMapThreads < runs)
                SB_UNROLL
        for (int k = 0; k < K; ++k)
            loadFloats<N>(map.x[k] + (first + r * kMapThreads) * N, v[r][k]);
        SB_UNROLL
        for (int r = 0; r < Runs; ++r)
            if (first + r * kMapThreads < runs)
                map.template finish<N>(v[r], map.y + (first + r * kMapThreads) * N);
    }
    const std::int64_t rest = runs * N + std::int64_t(blockIdx.x) * kMapThreads + threadIdx.x;
    if (rest < n) { // fewer than N: the first block has them all
        float v[K][1];
        for (int k = 0; k < K; ++k)
            v[k][0] = toFloat(map.x[k][rest]);
        map.template finish<1>(v, map.y + rest);
    }
}

/// All operands contiguous.
template <class F, int K, class T, class Out>
void launchMap(const char* name, cudaStream_t stream, std::int64_t n, const Map<F, K, T, Out>& map)
{
    if (n == 0)
        return;
    constexpr int kN = sizeof(T) < sizeof(Out) ? kVector<T> : kVector<Out>;
    constexpr int kRuns = K < 3 ? 2 : 1;
    bool wide = aligned({map.y});
    for (const T* x : map.x)
        wide = wide && aligned({x});
    if (wide)
        launch(name, stream, gridFor(n, kMapThreads, kN * kRuns),
               mapKernel<kN, kRuns, F, K, T, Out>, n, map);
    else
        launch(name, stream, gridFor(n, kMapThreads, kRuns), mapKernel<1, kRuns, F, K, T, Out>, n,
               map);
}

inline constexpr int kMaxMapAxes = 6;

/// Operand k is read at strides.places(); its innermost stride is 0 (one value for the run) or N.
template <int N, class I, class F, int K, class T, class Out>
__global__ void __launch_bounds__(kMapThreads)
    stridedMapKernel(I runs, const Strides<I, K, kMaxMapAxes> strides, const Map<F, K, T, Out> map)
{
    for (I run = I(blockIdx.x) * kMapThreads + threadIdx.x; run < runs;
         run += I(gridDim.x) * kMapThreads) {
        I at[K];
        strides.places(run, at);
        float v[K][N];
        SB_UNROLL
        for (int k = 0; k < K; ++k)
            if (N == 1 || strides.stride[k][0] != 0) {
                loadFloats<N>(map.x[k] + at[k], v[k]);
            } else {
                const float same = toFloat(map.x[k][at[k]]);
                SB_UNROLL
                for (int i = 0; i < N; ++i)
                    v[k][i] = same;
            }
        map.template finish<N>(v, map.y + std::int64_t(run) * N);
    }
}

/// The axes of y, outermost first, and the elements that operand k goes on per entry of each.
template <int K>
struct MapAxes {
    int axes = 0;
    std::int64_t size[kMaxMapAxes] = {};
    std::int64_t stride[K][kMaxMapAxes] = {};

    std::int64_t count() const
    {
        std::int64_t n = 1;
        for (int a = 0; a < axes; ++a)
            n *= size[a];
        return n;
    }
    /// Whether runs of n elements, starting at multiples of n, lie together in every operand.
    bool runsOf(std::int64_t n) const
    {
        bool fits = axes > 0 && size[axes - 1] % n == 0;
        for (int k = 0; k < K; ++k)
            for (int a = 0; a < axes; ++a)
                fits = fits && (a + 1 < axes ? stride[k][a] % n == 0 || stride[k][axes - 1] == 0
                                             : stride[k][a] == 0 || stride[k][a] == 1);
        return fits;
    }
    template <class I>
    Strides<I, K, kMaxMapAxes> strides(std::int64_t run) const
    {
        Strides<I, K, kMaxMapAxes> s;
        for (int a = axes - 1; a >= 0; --a) {
            std::int64_t steps[K];
            for (int k = 0; k < K; ++k)
                steps[k] = stride[k][a] * (a + 1 == axes ? run : 1);
            s.add(size[a] / (a + 1 == axes ? run : 1), steps);
        }
        return s;
    }
};

template <int N, class F, int K, class T, class Out>
void launchStridedRuns(const char* name, cudaStream_t stream, const MapAxes<K>& axes,
                       const Map<F, K, T, Out>& map)
{
    const std::int64_t n = axes.count(), runs = n / N;
    if (countsIn32Bits(n))
        launch(name, stream, gridFor(runs, kMapThreads),
               stridedMapKernel<N, std::uint32_t, F, K, T, Out>, std::uint32_t(runs),
               axes.template strides<std::uint32_t>(N), map);
    else
        launch(name, stream, gridFor(runs, kMapThreads),
               stridedMapKernel<N, std::uint64_t, F, K, T, Out>, std::uint64_t(runs),
               axes.template strides<std::uint64_t>(N), map);
}

/// y contiguous in the shape of `axes`, the operands with strides.
template <class F, int K, class T, class Out>
void launchStridedMap(const char* name, cudaStream_t stream, const MapAxes<K>& axes,
                      const Map<F, K, T, Out>& map)
{
    if (axes.count() == 0)
        return;
    constexpr int kN = sizeof(T) < sizeof(Out) ? kVector<T> : kVector<Out>;
    bool wide = aligned({map.y}) && axes.runsOf(kN);
    for (const T* x : map.x)
        wide = wide && aligned({x});
    if (wide)
        launchStridedRuns<kN>(name, stream, axes, map);
    else
        launchStridedRuns<1>(name, stream, axes, map);
}

} // namespace scalebench::kernels::cuda
