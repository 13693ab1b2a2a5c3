// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// fp16 (IEEE 754 binary16) <-> fp32, in integers, for host code; devices have an instruction. To
// fp16: round to nearest, ties to even; subnormals are kept; beyond 65504 (65520 and up) infinity;
// a NaN stays a quiet NaN.

#include <cstdint>

#include "kernels/formula/host_device.h"
#include "kernels/types.h"

namespace scalebench::formula {

SB_HOST_DEVICE float f16ToF32(f16_t v)
{
    const std::uint32_t sign = std::uint32_t(v & 0x8000u) << 16;
    const std::uint32_t magnitude = v & 0x7fffu;
    if (magnitude >= 0x7c00u) // infinity, NaN
        return __builtin_bit_cast(float, sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
    if (magnitude < 0x0400u) { // zero, subnormal: count units of 2^-24
        const float value = float(magnitude) * 5.9604644775390625e-8f;
        return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, value) | sign);
    }
    return __builtin_bit_cast(float, sign | ((magnitude << 13) + ((127u - 15u) << 23)));
}

SB_HOST_DEVICE f16_t f32ToF16(float f)
{
    const std::uint32_t u = __builtin_bit_cast(std::uint32_t, f);
    const std::uint32_t sign = (u >> 16) & 0x8000u, magnitude = u & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return f16_t(sign | 0x7e00u);
    if (magnitude >= 0x47800000u) // 65536 and up
        return f16_t(sign | 0x7c00u);
    if (magnitude < 0x38800000u) { // below 2^-14: adding 0.5 leaves units of 2^-24 in the last bits
        const float shifted = __builtin_bit_cast(float, magnitude) + 0.5f;
        return f16_t(sign | (__builtin_bit_cast(std::uint32_t, shifted) - 0x3f000000u));
    }
    const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return f16_t(sign | ((rounded - ((127u - 15u) << 23)) >> 13));
}

} // namespace scalebench::formula
