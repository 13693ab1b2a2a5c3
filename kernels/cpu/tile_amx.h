// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The AMX form of tile_gemm.h's bf16 product, which chooses it.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu::tile {

/// multiply() of tile_gemm.h, inside an AmxScope.
void multiplyAmx(std::int64_t M, std::int64_t N, std::int64_t K, const bf16_t* A, std::int64_t lda,
                 const bf16_t* B, std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate);

} // namespace scalebench::kernels::cpu::tile
