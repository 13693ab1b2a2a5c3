// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The instructions that fixed_gemm.cpp and fixed_operands.cpp are written for, where a compiler
// knows them: SB_FIXED is defined there.

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define SB_FIXED 1
#define SB_FIXED_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#endif
