// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// bf16 <-> fp32. To bf16: round to nearest, ties to even; a NaN stays a (quiet) NaN, which adding
// the rounding constant alone would turn into an infinity or a zero.

#include <cstdint>

#include "kernels/formula/host_device.h"
#include "kernels/types.h"

namespace scalebench::formula {

SB_HOST_DEVICE float bf16ToF32(bf16_t v)
{
    return __builtin_bit_cast(float, std::uint32_t(v) << 16);
}

SB_HOST_DEVICE bf16_t f32ToBf16(float f)
{
    const std::uint32_t u = __builtin_bit_cast(std::uint32_t, f);
    const std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    const std::uint32_t quietNan = (u >> 16) | 0x40u;
    return bf16_t((u & 0x7fffffffu) > 0x7f800000u ? quietNan : rounded);
}

/// One name for both storage types, so that a loop is written once.
SB_HOST_DEVICE float load(const float* p)
{
    return *p;
}
SB_HOST_DEVICE float load(const bf16_t* p)
{
    return bf16ToF32(*p);
}
SB_HOST_DEVICE void store(float* p, float v)
{
    *p = v;
}
SB_HOST_DEVICE void store(bf16_t* p, float v)
{
    *p = f32ToBf16(v);
}

/// True for a stored value above zero (bf16: as an integer, which vectorises to one compare).
SB_HOST_DEVICE bool positive(const float* p)
{
    return *p > 0.0f;
}
SB_HOST_DEVICE bool positive(const bf16_t* p)
{
    return std::int16_t(*p) > 0;
}

} // namespace scalebench::formula
