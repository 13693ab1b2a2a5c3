// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/top_k.h"

#include "kernels/cuda/kth_largest.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"
#include "kernels/formula/order.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 512;
using Key = OrderKey;

template <class T>
__device__ Key keyAt(const T* x, std::int64_t i)
{
    return formula::orderKey(toFloat(x[i]), std::uint32_t(i));
}

/// Sorts keys[0..size), size a power of 2, largest first (Batcher's bitonic network, 1968).
__device__ inline void sortDescending(Key* keys, std::int64_t size)
{
    for (std::int64_t run = 2; run <= size; run *= 2)
        for (std::int64_t distance = run / 2; distance > 0; distance /= 2) {
            __syncthreads();
            for (std::int64_t i = threadIdx.x; i < size; i += kThreads) {
                const std::int64_t other = i ^ distance;
                if (other < i)
                    continue;
                const bool descending = (i & run) == 0;
                const Key a = keys[i], b = keys[other];
                if ((a < b) == descending) {
                    keys[i] = b;
                    keys[other] = a;
                }
            }
        }
    __syncthreads();
}

/// What is sorted in shared memory; more is sorted in global memory.
constexpr int kSharedKeys = 4096;

/// memory: `padded` places per row in global memory; not used below kSharedKeys.
template <class T>
__global__ void __launch_bounds__(kThreads)
    topKKernel(std::int64_t n, std::int64_t k, std::int64_t padded, const T* x, T* values,
               std::int32_t* indices, Key* memory)
{
    __shared__ Key sharedKeys[kSharedKeys];
    __shared__ int taken;
    const std::int64_t row = blockIdx.x;
    x += row * n;
    Key* const keys = padded <= kSharedKeys ? sharedKeys : memory + row * padded;
    if (threadIdx.x == 0)
        taken = 0;
    // With barriers inside.
    const Key least = kthLargest<kThreads>([x](std::int64_t i) { return keyAt(x, i); }, n, k);
    for (std::int64_t i = threadIdx.x; i < n; i += kThreads) {
        const Key key = keyAt(x, i);
        if (key >= least)
            keys[atomicAdd(&taken, 1)] = key; // in any order: they are sorted
    }
    for (std::int64_t i = k + threadIdx.x; i < padded; i += kThreads)
        keys[i] = formula::kNoKey;
    sortDescending(keys, padded);
    for (std::int64_t i = threadIdx.x; i < k; i += kThreads) {
        const std::uint32_t index = formula::positionOfKey(keys[i]);
        indices[row * k + i] = std::int32_t(index);
        values[row * k + i] = x[index];
    }
}

std::int64_t paddedSize(std::int64_t k)
{
    std::int64_t size = 1;
    while (size < k)
        size *= 2;
    return size;
}

} // namespace

std::size_t topKScratchBytes(const TopKParams& p)
{
    const std::int64_t padded = paddedSize(p.k);
    return padded <= kSharedKeys ? 0 : std::size_t(p.rows * padded) * sizeof(Key);
}

void topK(const TopKParams& p, const void* x, void* values, std::int32_t* indices, void* scratch,
          cudaStream_t stream)
{
    if (p.k == 0 || p.rows == 0)
        return;
    withActivationType(p.dtype, "top-k", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("top-k", stream, Grid{dim3(unsigned(p.rows)), dim3(kThreads)}, topKKernel<T>, p.n,
               p.k, paddedSize(p.k), static_cast<const T*>(x), static_cast<T*>(values), indices,
               static_cast<Key*>(scratch));
    });
}

} // namespace scalebench::kernels::cuda
