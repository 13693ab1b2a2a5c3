// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For loops written for AVX512_BF16 by hand, where a compiler knows it: SB_AVX512_BF16 is defined
// there. Numbers are rounded to bf16 as formula::f32ToBf16() does, but denormal ones become zero.

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#include "kernels/types.h"

#define SB_AVX512_BF16 1
#define SB_BF16_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))
#define SB_BF16_STEP                                                                               \
    __attribute__((always_inline, target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

namespace scalebench::kernels::cpu {

/// The first n columns of a vector of 16; none where n is negative, all where there are more.
SB_BF16_TARGET inline __mmask16 firstOf16(std::int64_t n)
{
    return n >= 16 ? __mmask16(0xffff) : __mmask16((1u << std::max<std::int64_t>(n, 0)) - 1u);
}
SB_BF16_TARGET inline __mmask32 firstOf32(std::int64_t n)
{
    return n >= 32 ? __mmask32(~0u) : __mmask32((1u << std::max<std::int64_t>(n, 0)) - 1u);
}

} // namespace scalebench::kernels::cpu
#endif
