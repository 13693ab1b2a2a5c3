// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stands in for the toolkit's header of this name, so that .cu files compile with the host
// compiler. Types and the declarations of the runtime's functions are the toolkit's own
// (cuda_runtime_api.h); what is defined here is the device language. See emulation.h for what it
// proves.

#define SB_CUDA_EMULATION 1

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "support/cuda_emulation/emulation.h"

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __forceinline__
#undef __launch_bounds__
#undef __align__
#undef __grid_constant__
#define __global__
#define __device__
#define __host__
// Blocks run one after the other: one array per kernel is the running block's own.
#define __shared__ static
#define __constant__ static const
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __grid_constant__

#define threadIdx (::scalebench::emulation::thread().threadIndex)
#define blockIdx (::scalebench::emulation::thread().blockIndex)
#define blockDim (::scalebench::emulation::thread().blockSize)
#define gridDim (::scalebench::emulation::thread().gridSize)
#define warpSize 32

using std::isfinite;
using std::isinf;
using std::isnan;
using std::max;
using std::min;

inline void __syncthreads()
{
    scalebench::emulation::blockBarrier();
}
inline int __syncthreads_or(int predicate)
{
    return scalebench::emulation::blockOr(predicate != 0);
}
inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    scalebench::emulation::warpExchange(mask, nullptr, 0, 0, nullptr);
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __nanosleep(unsigned) {}
[[noreturn]] inline void __trap()
{
    scalebench::emulation::trap();
}

namespace scalebench::emulation {

/// What lane `from(lane)` holds; a lane outside the segment of `width` keeps its own value.
template <class T>
T shuffle(unsigned mask, T value, int source)
{
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    T result = value;
    warpExchange(mask, &value, sizeof value, source, &result);
    return result;
}
inline int lane()
{
    return linearThread() % 32;
}

template <class T, class F>
T atomically(T* address, F&& change)
{
    const T old = *address; // threads are switched at barriers only
    *address = change(old);
    return old;
}

} // namespace scalebench::emulation

template <class T>
T __shfl_sync(unsigned mask, T v, int source, int width = 32)
{
    const int lane = scalebench::emulation::lane();
    return scalebench::emulation::shuffle(mask, v, lane / width * width + (source & (width - 1)));
}
template <class T>
T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32)
{
    const int lane = scalebench::emulation::lane(), source = lane ^ bits;
    return scalebench::emulation::shuffle(mask, v, source / width <= lane / width ? source : lane);
}
template <class T>
T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32)
{
    const int lane = scalebench::emulation::lane(), source = lane + int(delta);
    return scalebench::emulation::shuffle(mask, v, source / width == lane / width ? source : lane);
}
template <class T>
T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32)
{
    const int lane = scalebench::emulation::lane(), source = lane - int(delta);
    return scalebench::emulation::shuffle(
        mask, v, source >= 0 && source / width == lane / width ? source : lane);
}
inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return scalebench::emulation::warpBallot(mask, predicate != 0);
}
inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, !predicate) == 0;
}

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> v)
{
    return scalebench::emulation::atomically(address, [v](T old) { return T(old + v); });
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> v)
{
    return scalebench::emulation::atomically(address, [v](T old) { return std::max(old, v); });
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> v)
{
    return scalebench::emulation::atomically(address, [v](T old) { return std::min(old, v); });
}
template <class T>
T atomicOr(T* address, std::type_identity_t<T> v)
{
    return scalebench::emulation::atomically(address, [v](T old) { return T(old | v); });
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> v)
{
    return scalebench::emulation::atomically(address, [v](T) { return v; });
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> v)
{
    return scalebench::emulation::atomically(address,
                                             [=](T old) { return old == compare ? v : old; });
}

template <class T>
T __ldg(const T* p)
{
    return *p;
}
inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
inline int __ffs(int v)
{
    return __builtin_ffs(v);
}
inline int __clz(int v)
{
    return v == 0 ? 32 : __builtin_clz(unsigned(v));
}
inline float rsqrtf(float v)
{
    return 1.0f / std::sqrt(v);
}
inline unsigned __float_as_uint(float v)
{
    return __builtin_bit_cast(unsigned, v);
}
inline float __uint_as_float(unsigned v)
{
    return __builtin_bit_cast(float, v);
}
inline int __float_as_int(float v)
{
    return __builtin_bit_cast(int, v);
}
inline float __int_as_float(int v)
{
    return __builtin_bit_cast(float, v);
}
