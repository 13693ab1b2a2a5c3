// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The k-th largest of many keys by one block: a radix select, 8 bits a pass, most significant
// first (Alabi et al., "Fast k-selection algorithms for graphics processing units", ACM JEA 17,
// 2012). Integers are counted, so the result does not depend on how the threads run.

#include "kernels/cuda/block.h"
#include "kernels/formula/order.h"

#include <cstdint>

namespace scalebench::kernels::cuda {

/// formula::orderKey(), as atomics and shared memory have it.
using OrderKey = unsigned long long;

/// Where the selection is, in shared memory.
struct KeySelection {
    static constexpr int kDigits = 256; ///< of 8 bits
    int histogram[kDigits];
    OrderKey prefix;     ///< digits found
    std::int64_t wanted; ///< among the keys with that prefix, the largest is 1
    bool all;            ///< all keys with that prefix are wanted
};

/// Counts the digits of the keys with the prefix. Digits at the top are mostly the same: those
/// equal to the first lane's are counted once per warp.
template <int Threads, class KeyAt>
__device__ void countDigits(const KeyAt& keyAt, std::int64_t n, OrderKey prefix, OrderKey mask,
                            int shift, int* histogram)
{
    for (std::int64_t base = 0; base < n; base += Threads) {
        const std::int64_t i = base + threadIdx.x;
        const OrderKey key = i < n ? keyAt(i) : formula::kNoKey;
        const bool counts = i < n && (key & mask) == prefix;
        const int digit = counts ? int(key >> shift & (KeySelection::kDigits - 1)) : -1;
        const int common = __shfl_sync(kAllLanes, digit, 0);
        const unsigned same = __ballot_sync(kAllLanes, digit == common);
        if (counts && digit != common)
            atomicAdd(histogram + digit, 1);
        else if (counts && threadIdx.x % 32 == 0)
            atomicAdd(histogram + digit, __popc(same));
    }
}

/// By one warp: lane 0 has the largest digits.
__device__ inline void chooseDigit(KeySelection& s, int shift)
{
    constexpr int kOfLane = KeySelection::kDigits / 32;
    const int lane = int(threadIdx.x), top = KeySelection::kDigits - 1 - lane * kOfLane;
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
    s.prefix |= OrderKey(digit) << shift;
    s.wanted = wanted;
    s.all = s.histogram[digit] == wanted;
}

/// The k-th largest of keyAt(0..n), or a bound that the same k keys reach, digit by digit from the
/// top: exactly k are not smaller, as long as the k largest differ from each other and from the
/// rest. 1 <= k <= n, the same in all threads; every thread of the block (one-dimensional, Threads
/// of them) calls and gets the result.
template <int Threads, class KeyAt>
__device__ OrderKey kthLargest(const KeyAt& keyAt, std::int64_t n, std::int64_t k)
{
    static_assert(Threads >= KeySelection::kDigits);
    __shared__ KeySelection s;
    const int thread = int(threadIdx.x);
    if (thread == 0) {
        s.prefix = 0;
        s.wanted = k;
        s.all = false;
    }
    OrderKey mask = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        if (thread < KeySelection::kDigits)
            s.histogram[thread] = 0;
        __syncthreads();
        countDigits<Threads>(keyAt, n, s.prefix, mask, shift, s.histogram);
        __syncthreads();
        if (thread < 32)
            chooseDigit(s, shift);
        __syncthreads();
        mask |= OrderKey(KeySelection::kDigits - 1) << shift;
        if (s.all) // the digits below do not matter
            break;
    }
    return s.prefix;
}

} // namespace scalebench::kernels::cuda
