// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The instructions that panel_gemm.cpp and panel_operands.cpp are written for, where a compiler
// knows them: SB_PANELS is defined there.

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#define SB_PANELS 1
#define SB_PANELS_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))
#define SB_PANELS_STEP                                                                             \
    __attribute__((always_inline, target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

namespace scalebench::kernels::cpu::panels {

/// The first n columns of a vector of 16; none where n is negative, all where there are more.
SB_PANELS_TARGET inline __mmask16 firstOf16(std::int64_t n)
{
    return n >= 16 ? __mmask16(0xffff) : __mmask16((1u << std::max<std::int64_t>(n, 0)) - 1u);
}

} // namespace scalebench::kernels::cpu::panels
#endif
