// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A row of up to kWarpRow elements in the registers of one warp, as fp32: read once and written
// once, however often it is looked at, and summed without a barrier. V elements lie together, so
// that lane l has elements (k * 32 + l) * V + i, k below K.

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/pack.h"

#include <cstdint>
#include <type_traits>

namespace scalebench::kernels::cuda {

/// Longest row that withWarpRow() takes: 32 registers of each lane.
inline constexpr std::int64_t kWarpRow = 1024;

/// Calls f(width, packs per lane) as integral constants, the fewest that hold a row of C.
/// `packed`: 16-byte accesses are possible. C is at most kWarpRow.
template <class T, class F>
void withWarpRow(std::int64_t C, bool packed, F&& f)
{
    auto call = [&](auto width, auto packs) { f(width, packs); };
    constexpr int V = kVector<T>;
    if (packed) {
        const std::integral_constant<int, V> width;
        if (C <= 32 * V)
            call(width, std::integral_constant<int, 1>());
        else if (C <= 64 * V)
            call(width, std::integral_constant<int, 2>());
        else
            call(width, std::integral_constant<int, 32 / V>());
    } else {
        const std::integral_constant<int, 1> width;
        if (C <= 128)
            call(width, std::integral_constant<int, 4>());
        else
            call(width, std::integral_constant<int, 32>());
    }
}

/// Blocks of `threads` for one warp per row in a loop over the rows.
inline Grid warpRowGrid(std::int64_t rows, int threads)
{
    return gridFor(rows * 32, threads);
}

/// Rows of the running warp: for (r = first(); r < rows; r += step()).
__device__ inline std::int64_t firstWarpRow()
{
    return (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
}
__device__ inline std::int64_t warpRowStep()
{
    return std::int64_t(gridDim.x) * blockDim.x / 32;
}

/// Calls f(element of the row, register) for the begin of each pack of V that the lane has.
template <int V, int K, class F>
__device__ __forceinline__ void forPacks(int C, const F& f)
{
    const int lane = int(threadIdx.x) % 32;
    SB_UNROLL
    for (int k = 0; k < K; ++k) {
        const int c = (k * 32 + lane) * V;
        if (c < C)
            f(c, k * V);
    }
}

/// Elements beyond C become `fill`.
template <int V, int K, class T>
__device__ __forceinline__ void loadWarpRow(const T* row, int C, float fill, float (&v)[K * V])
{
    SB_UNROLL
    for (int j = 0; j < K * V; ++j)
        v[j] = fill;
    forPacks<V, K>(C, [&](int c, int j) { loadFloats<V>(row + c, v + j); });
}

template <int V, int K, class T>
__device__ __forceinline__ void storeWarpRow(T* row, int C, const float (&v)[K * V])
{
    forPacks<V, K>(C, [&](int c, int j) { storeFloats<V>(row + c, v + j); });
}

} // namespace scalebench::kernels::cuda
