// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A total order of floating-point numbers with their positions, as integers: the larger key is the
// larger number, or the smaller position where numbers are equal. NaN is larger than anything (as
// in torch) and -0 equals +0.

#include <cstdint>

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

/// Below every key of a number.
constexpr std::uint64_t kNoKey = 0;

SB_HOST_DEVICE std::uint64_t orderKey(float v, std::uint32_t position)
{
    const float plain = v == 0.0f ? 0.0f : v; // -0 equals +0
    std::uint32_t bits = __builtin_bit_cast(std::uint32_t, plain);
    bits = v != v ? 0xffffffffu : bits >> 31 != 0u ? ~bits : bits | 0x80000000u;
    return std::uint64_t(bits) << 32 | (0xffffffffu - position);
}

SB_HOST_DEVICE std::uint32_t positionOfKey(std::uint64_t key)
{
    return 0xffffffffu - std::uint32_t(key);
}

/// The number; of a NaN a quiet one, of -0 +0.
SB_HOST_DEVICE float valueOfKey(std::uint64_t key)
{
    const std::uint32_t bits = std::uint32_t(key >> 32);
    return __builtin_bit_cast(float, bits == 0xffffffffu ? 0x7fc00000u
                                     : bits >> 31 != 0u  ? bits & 0x7fffffffu
                                                         : ~bits);
}

} // namespace scalebench::formula
