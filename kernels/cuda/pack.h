// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Elements as they lie in memory, 16 bytes at a time: kept unconverted, many loads can be in flight
// in few registers. See kernels/cuda/vector.h for what is converted at once.

#include "kernels/cuda/vector.h"

#include <cstdint>

namespace scalebench::kernels::cuda {

/// True where rows of C elements can be read and written as 16-byte packs: every pointer (null is
/// fine) and with it every row begins at a multiple of 16 bytes.
template <class T>
bool packable(std::int64_t C, std::initializer_list<const void*> pointers)
{
    return C % kVector<T> == 0 && aligned(pointers);
}

template <int V, class T>
__device__ __forceinline__ Pack<T, V> loadPack(const T* p)
{
    return *reinterpret_cast<const Pack<T, V>*>(p);
}
template <class T, int V>
__device__ __forceinline__ void storePack(T* p, const Pack<T, V>& v)
{
    *reinterpret_cast<Pack<T, V>*>(p) = v;
}

} // namespace scalebench::kernels::cuda
