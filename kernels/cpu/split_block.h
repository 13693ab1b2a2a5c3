// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What split_gemm.cpp (blocks, shared by threads), split_operands.cpp (their parts in order) and
// split_block.cpp (the innermost loops) know of one another.
//
// A block of an operand is 32 rows of A or columns of B, padded with zeros. Of each 32 steps along
// K it has six tiles of 1 KiB: both halves of the high parts, of the middle and of the low ones. A
// tile is what one AMX register holds: of A 16 rows of 32 numbers, of B 16 rows of 16 pairs, a pair
// being the two numbers of a column that belong to neighbouring steps.

#include <cstdint>

#include "kernels/cpu/avx512_bf16.h"
#include "kernels/cpu/float_gemm.h"
#include "kernels/types.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)
#define SB_SPLIT 1
#endif

namespace scalebench::kernels::cpu::split {

constexpr std::int64_t kEdge = 32; ///< rows and columns of a block of C
constexpr std::int64_t kStep = 32; ///< along K, of one tile
constexpr std::int64_t kTile = 16 * 32, kParts = 3, kTiles = 2 * kParts;

constexpr std::int64_t inSteps(std::int64_t depth)
{
    return (depth + kStep - 1) / kStep;
}
/// Numbers of a block.
constexpr std::int64_t blockSize(std::int64_t depth)
{
    return inSteps(depth) * kTiles * kTile;
}
/// Where a tile begins in the six of a step.
constexpr std::int64_t tileAt(std::int64_t part, std::int64_t half)
{
    return (2 * part + half) * kTile;
}

/// `rows` rows of A, `depth` columns.
void splitRows(FloatMatrix A, std::int64_t rows, std::int64_t depth, bf16_t* out);
/// A panel [depth][32] of B.
void splitPanel(const float* panel, std::int64_t depth, bf16_t* out);

/// The sums [32][32] over so many steps, 64-byte aligned; on AMX inside an AmxScope.
void sumBlock(std::int64_t steps, const bf16_t* A, const bf16_t* B, float* sums);
/// sumBlock() of the processors without AMX.
void sumBlockInPairs(std::int64_t steps, const bf16_t* A, const bf16_t* B, float* sums);

} // namespace scalebench::kernels::cpu::split
