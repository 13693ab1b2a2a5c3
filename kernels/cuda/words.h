// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copying does not care what is copied: the widest words that fit sizes and addresses.

#include <cuda_runtime.h>

#include "kernels/cuda/index.h"
#include "kernels/cuda/number.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace scalebench::kernels::cuda {

/// 1, 2, 4, 8 or 16: divides all sizes and aligns all pointers.
inline std::size_t wordBytes(std::initializer_list<std::size_t> sizes,
                             std::initializer_list<const void*> pointers)
{
    std::uintptr_t bits = 16;
    for (const std::size_t size : sizes)
        bits |= size;
    for (const void* p : pointers)
        bits |= reinterpret_cast<std::uintptr_t>(p);
    return std::size_t(bits & (~bits + 1));
}

/// Calls f(TypeTag<Word>()) with a type of that many bytes.
template <class F>
void withWord(std::size_t bytes, F&& f)
{
    switch (bytes) {
    case 16:
        return f(TypeTag<uint4>());
    case 8:
        return f(TypeTag<uint2>());
    case 4:
        return f(TypeTag<std::uint32_t>());
    case 2:
        return f(TypeTag<std::uint16_t>());
    default:
        return f(TypeTag<std::uint8_t>());
    }
}

/// Calls f(TypeTag<I>()) with the type that counts to n in a loop.
template <class F>
void withIndex(std::int64_t n, F&& f)
{
    if (countsIn32Bits(n))
        return f(TypeTag<std::uint32_t>());
    return f(TypeTag<std::uint64_t>());
}

} // namespace scalebench::kernels::cuda
