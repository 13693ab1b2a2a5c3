// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sums and maxima over the threads of a warp and of a block. All threads of the block must call
// (the block's size is a multiple of 32); every thread gets the result. The order of a sum depends
// on the block's size only, so results repeat bit for bit.

#include <cuda_runtime.h>

namespace scalebench::kernels::cuda {

inline constexpr unsigned kAllLanes = 0xffffffffu;

struct SumOp {
    template <class T>
    __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};
struct MaxOp {
    template <class T>
    __device__ T operator()(T a, T b) const
    {
        return a > b || a != a ? a : b; // NaN wins
    }
};

template <class T, class Op>
__device__ T warpReduce(T v, Op op)
{
    for (int lane = 16; lane > 0; lane /= 2)
        v = op(v, __shfl_xor_sync(kAllLanes, v, lane));
    return v;
}

/// One-dimensional blocks. May be called again at once.
template <class T, class Op>
__device__ T blockReduce(T v, T neutral, Op op)
{
    __shared__ T parts[32];
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    const int warps = int(blockDim.x) / 32;
    v = warpReduce(v, op);
    __syncthreads(); // parts may still be read by an earlier call
    if (lane == 0)
        parts[warp] = v;
    __syncthreads();
    v = lane < warps ? parts[lane] : neutral;
    return warpReduce(v, op);
}

template <class T>
__device__ T warpSum(T v)
{
    return warpReduce(v, SumOp());
}
template <class T>
__device__ T blockSum(T v)
{
    return blockReduce(v, T(0), SumOp());
}
template <class T>
__device__ T warpMax(T v)
{
    return warpReduce(v, MaxOp());
}
__device__ inline float blockMax(float v)
{
    return blockReduce(v, -INFINITY, MaxOp());
}

} // namespace scalebench::kernels::cuda
