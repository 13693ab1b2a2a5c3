// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A weight in the bf16 layout that AMX products want (oneDNN's BA16a64b2a): blocks of 64 columns,
// in them blocks of 32 rows, in them pairs of rows side by side: [N/64][K/32][16][64][2], padded
// with zeros. oneDNN's own reorder takes two to four times as long from this source.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu {

/// b [K,N] F32, rows `ld` elements apart. `packed`: overwritten, K rounded up to 32 times N rounded
/// up to 64 elements.
void packPairs(std::int64_t K, std::int64_t N, const float* b, std::int64_t ld, bf16_t* packed);

} // namespace scalebench::kernels::cpu
