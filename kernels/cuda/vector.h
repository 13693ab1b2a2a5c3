// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs of neighbouring elements as fp32 registers: read and written 16 bytes at a time, the widest
// access that every supported architecture has.

#include <cuda_runtime.h>

#include "kernels/cuda/number.h"

#include <cstdint>
#include <initializer_list>

/// Unrolls the loop that follows; the host compiler does not know nvcc's pragma.
#if defined(__CUDACC__)
#define SB_UNROLL _Pragma("unroll")
#define SB_UNROLL_4 _Pragma("unroll 4")
#else
#define SB_UNROLL
#define SB_UNROLL_4
#endif

namespace scalebench::kernels::cuda {

/// Elements of T in one 16-byte access.
template <class T>
inline constexpr int kVector = 16 / int(sizeof(T));

/// v[0..N) = p[0..N). p is aligned to the smaller of 16 bytes and N elements.
template <int N, class T>
__device__ __forceinline__ void loadFloats(const T* p, float* v)
{
    constexpr int kPart = N < kVector<T> ? N : kVector<T>;
    SB_UNROLL
    for (int i = 0; i < N; i += kPart) {
        const Pack<T, kPart> pack = *reinterpret_cast<const Pack<T, kPart>*>(p + i);
        SB_UNROLL
        for (int j = 0; j < kPart; ++j)
            v[i + j] = toFloat(pack.v[j]);
    }
}

/// p[0..N) = v[0..N), rounded; aligned as for loadFloats().
template <int N, class T>
__device__ __forceinline__ void storeFloats(T* p, const float* v)
{
    constexpr int kPart = N < kVector<T> ? N : kVector<T>;
    SB_UNROLL
    for (int i = 0; i < N; i += kPart) {
        Pack<T, kPart> pack;
        SB_UNROLL
        for (int j = 0; j < kPart; ++j)
            pack.v[j] = fromFloat<T>(v[i + j]);
        *reinterpret_cast<Pack<T, kPart>*>(p + i) = pack;
    }
}

/// Whether 16-byte accesses may start at all of them (null: not used).
inline bool aligned(std::initializer_list<const void*> pointers)
{
    std::uintptr_t bits = 0;
    for (const void* p : pointers)
        bits |= reinterpret_cast<std::uintptr_t>(p);
    return bits % 16 == 0;
}

} // namespace scalebench::kernels::cuda
