// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products in bf16 by the AVX-512 instruction that adds a pair of products to each sum
// (VDPBF16PS), for operands that come from outside the caches. A row of the result is summed in one
// order, whatever lies beside it. Only where available().

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu::pairs {

/// Columns of a panel of B and of those that are multiplied at once; rows of a tile of A.
constexpr std::int64_t kPanel = 16, kColumns = 4 * kPanel, kRows = 6;

/// Whether this processor has the instruction, runs it at twice the rate of fp32, and may use it.
bool available();

constexpr std::int64_t pairsOf(std::int64_t depth)
{
    return (depth + 1) / 2;
}
constexpr std::int64_t inPanels(std::int64_t columns)
{
    return (columns + kPanel - 1) / kPanel * kPanel;
}
/// Columns of the group that column n lies in.
constexpr std::int64_t groupWidth(std::int64_t n, std::int64_t columns)
{
    const std::int64_t rest = inPanels(columns - n / kColumns * kColumns);
    return rest < kColumns ? rest : kColumns;
}
constexpr std::int64_t inTiles(std::int64_t rows)
{
    return (rows + kRows - 1) / kRows * kRows;
}

/// B: pairs of rows side by side in a word, in groups of kColumns columns, the last of which may be
/// narrower: of each group its columns of the first pair, then of the second.
struct Panels {
    const std::uint32_t* at;
    std::int64_t
        pairs; ///< of a whole group: those of column n, a multiple of kColumns, lie at n * pairs
};
/// A as rows, lda numbers apart, or transposed: tiles of kRows columns, `step` words apart, of
/// pairs of rows.
struct Rows {
    const bf16_t* at;
    std::int64_t lda;
};
struct Tiles {
    const std::uint32_t* at;
    std::int64_t pairs; ///< of a whole tile: that of row m, a multiple of kRows, lies at m * pairs
};

/// Pairs of rows of x, zeros where there is nothing, as panels or tiles of `pairs` pairs from pair
/// `first` on.
void packPanels(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                std::uint32_t* panels, std::int64_t first, std::int64_t pairs);
void packTiles(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
               std::uint32_t* tiles, std::int64_t first, std::int64_t pairs);
/// The transpose of x, rows x columns with at most kPanel rows, as a panel.
void packTransposed(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                    std::uint32_t* panel);
/// x, rows x columns, rounded to bf16: panels of its transpose and of itself. Rows from `first`, a
/// multiple of kPanel, on, at most kPanel.
void packWeight(const float* x, std::int64_t rows, std::int64_t columns, std::int64_t first,
                std::uint32_t* transposed, std::uint32_t* plain);

/// What becomes of a sum. `accumulate`: added to what C holds, fp32 only and without the others.
struct Finish {
    const float* bias = nullptr;
    bool relu = false, accumulate = false;
};

/// C [M,N] = A B, K deep; C bf16 or fp32.
void multiply(std::int64_t M, std::int64_t N, std::int64_t K, Rows A, Panels B, Finish finish,
              bf16_t* C, std::int64_t ldc);
void multiply(std::int64_t M, std::int64_t N, std::int64_t K, Rows A, Panels B, Finish finish,
              float* C, std::int64_t ldc);
void multiply(std::int64_t M, std::int64_t N, std::int64_t K, Tiles A, Panels B, Finish finish,
              float* C, std::int64_t ldc);

} // namespace scalebench::kernels::cpu::pairs
