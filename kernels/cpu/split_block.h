// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What split_gemm.cpp (blocks, shared by threads), split_operands.cpp (their parts in order) and
// split_block.cpp (the innermost loops) know of one another.
//
// A block of an operand is 32 rows of A or columns of B, padded with zeros. Of each 32 steps along
// K it has six tiles of 1 KiB: both halves of the high parts, of the middle and of the low ones. A
// tile is what one AMX register holds: of A 16 rows of 32 numbers, of B 16 rows of 16 pairs, a pair
// being two numbers of a column. The order of steps in a tile is 0, 16, 1, 17, ..., of both.

#include <cstdint>

#include "kernels/cpu/avx512_bf16.h"
#include "kernels/cpu/float_level.h"
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

/// A block of A, which can be made a little at a time: of `rows` rows and `depth` columns.
struct RowBlock {
    FloatMatrix A = {};
    std::int64_t rows = 0, depth = 0;
    bf16_t* out = nullptr;
    std::int64_t made = 0; ///< so many of its pieces
    std::int64_t pieces() const { return inSteps(depth) * (A.columnStride == 1 ? kEdge : 2); }
};
/// The next `count` pieces, or what is left.
void makePieces(RowBlock& block, std::int64_t count);
/// A panel [depth][32] of B.
void splitPanel(const float* panel, std::int64_t depth, bf16_t* out);

/// The sums [32][32] of a block, on their way to C: at most so many rows and columns of it.
struct Sums {
    const float* at = nullptr;
    std::int64_t rows = 0, columns = 0;
    floats::Result C = {};
};

/// What vectors do while tiles multiply.
struct Beside {
    Sums before; ///< of the block before (none: no rows): they are finished
    RowBlock* next = nullptr;
    std::int64_t pieces = 0; ///< of it
};

/// The sums [32][32] over so many steps, 64-byte aligned; on AMX inside an AmxScope.
void sumBlock(std::int64_t steps, const bf16_t* A, const bf16_t* B, float* sums,
              const Beside& beside = {});
/// sumBlock() of the processors without AMX.
void sumBlockInPairs(std::int64_t steps, const bf16_t* A, const bf16_t* B, float* sums);
/// What sums become, those of rows [begin, end).
void finishRows(const Sums& sums, std::int64_t begin, std::int64_t end);

} // namespace scalebench::kernels::cpu::split
