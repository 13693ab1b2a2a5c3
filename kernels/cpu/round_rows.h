// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of fp32 numbers, computed in a cache, to bf16: with AVX512_BF16 by its instruction, which
// compilers do not use for what they vectorise themselves (they take six operations for it).
// One thread. Rounded as formula::f32ToBf16() does, but denormal numbers may become zero.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu {

/// rows x columns numbers, rows `ld` elements apart, times a factor for each row (null: as they
/// are). out: rows `ldOut` elements apart; nothing beyond the columns is written.
void roundRows(const float* x, std::int64_t ld, const float* factors, std::int64_t rows,
               std::int64_t columns, bf16_t* out, std::int64_t ldOut);

/// An even number of rows, whose columns are a multiple of 16, in pairs, [rows/2][columns][2]: row
/// 2 i of x, row 2 i + 1 side by side. Pairs begin 2 ldOut elements apart.
void roundPairs(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                bf16_t* out, std::int64_t ldOut);

} // namespace scalebench::kernels::cpu
