// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/top_k.h"

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"
#include "kernels/formula/order.h"

namespace scalebench::kernels::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kDigits = 256; // of 8 bits
using Key = unsigned long long;

template <class T>
__device__ Key keyAt(const T* x, std::int64_t i)
{
    return formula::orderKey(toFloat(x[i]), std::uint32_t(i));
}

/// One step of the selection: of the keys that agree with the digits above, the digit of the
/// wanted-th largest.
struct Selection {
    int histogram[kDigits];
    Key prefix;          ///< digits found
    std::int64_t wanted; ///< among the keys with that prefix, the largest is 1
    bool all;            ///< all keys with that prefix are wanted
};

/// Counts the digits of the keys with the prefix. Digits at the top are mostly the same: those
/// equal to the first lane's are counted once per warp.
template <class T>
__device__ void countDigits(const T* x, std::int64_t n, Key prefix, Key mask, int shift,
                            int* histogram)
{
    for (std::int64_t base = 0; base < n; base += kThreads) {
        const std::int64_t i = base + threadIdx.x;
        const Key key = i < n ? keyAt(x, i) : formula::kNoKey;
        const bool counts = i < n && (key & mask) == prefix;
        const int digit = counts ? int(key >> shift & (kDigits - 1)) : -1;
        const int common = __shfl_sync(kAllLanes, digit, 0);
        const unsigned same = __ballot_sync(kAllLanes, digit == common);
        if (counts && digit != common)
            atomicAdd(histogram + digit, 1);
        else if (counts && threadIdx.x % 32 == 0)
            atomicAdd(histogram + digit, __popc(same));
    }
}

/// By one warp: lane 0 has the largest digits.
__device__ inline void chooseDigit(Selection& s, int shift)
{
    constexpr int kOfLane = kDigits / 32;
    const int lane = int(threadIdx.x), top = kDigits - 1 - lane * kOfLane;
    int sum = 0;
    for (int d = 0; d < kOfLane; ++d)
        sum += s.histogram[top - d];
    int upTo = sum;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(kAllLanes, upTo, unsigned(distance));
        upTo += lane >= distance ? other : 0;
    }
    std::int64_t wanted = s.wanted - (upTo - sum);
    __syncwarp(); // all have read
    if (wanted <= 0 || wanted > sum)
        return;
    int digit = top;
    for (; s.histogram[digit] < wanted; --digit)
        wanted -= s.histogram[digit];
    s.prefix |= Key(digit) << shift;
    s.wanted = wanted;
    s.all = s.histogram[digit] == wanted;
}

/// The k-th largest key of the row, or a bound that the same k keys reach, digit by digit from the
/// top. Keys differ, so exactly k are not smaller.
template <class T>
__device__ Key kthLargest(const T* x, std::int64_t n, std::int64_t k)
{
    __shared__ Selection s;
    const int thread = int(threadIdx.x);
    if (thread == 0) {
        s.prefix = 0;
        s.wanted = k;
        s.all = false;
    }
    Key mask = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        if (thread < kDigits)
            s.histogram[thread] = 0;
        __syncthreads();
        countDigits(x, n, s.prefix, mask, shift, s.histogram);
        __syncthreads();
        if (thread < 32)
            chooseDigit(s, shift);
        __syncthreads();
        mask |= Key(kDigits - 1) << shift;
        if (s.all) // the digits below do not matter
            break;
    }
    return s.prefix;
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
    const Key least = kthLargest(x, n, k); // with barriers inside
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
