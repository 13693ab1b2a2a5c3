// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Element types shared by kernels and engine. bf16 values are stored as std::uint16_t: the upper
// half of an IEEE fp32 value, rounded to nearest even (kernels/formula/bf16.h). So are fp16 values
// (kernels/formula/f16.h), which only the CUDA backend computes in.

#include <cstddef>
#include <cstdint>

namespace scalebench {

enum class DType : std::uint8_t { F32, BF16, I32, U8, F16 };

/// Storage type of a bf16 element.
using bf16_t = std::uint16_t;
/// Storage type of an fp16 element.
using f16_t = std::uint16_t;

/// Bytes per element.
constexpr std::size_t dtypeBytes(DType t)
{
    return t == DType::F32 || t == DType::I32 ? 4 : t == DType::BF16 || t == DType::F16 ? 2 : 1;
}

constexpr const char* dtypeName(DType t)
{
    return t == DType::F32    ? "f32"
           : t == DType::BF16 ? "bf16"
           : t == DType::F16  ? "f16"
           : t == DType::I32  ? "i32"
                              : "u8";
}

} // namespace scalebench
