// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How those who multiply panels cut their products into blocks.

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/panel_gemm.h"
#include "kernels/cpu/parallel.h"

namespace scalebench::kernels::cpu::panels {

/// The deepest sums, in words, that leave a group of panels room in the second-level cache.
constexpr std::int64_t kDeepest = 4096;
/// Words of one sum where both operands are packed (weight gradients): more are added in pieces.
constexpr std::int64_t kMostWords = 1024;
/// Rows of A that pass a group of panels of B: those come from the last-level cache once for all.
constexpr std::int64_t kBlockRows = 64 * kRows;

/// The block of rows from row m of M on, to be fetched: rows of so many bytes side by side.
inline Ahead::Run blockFrom(const void* matrix, std::int64_t m, std::int64_t M,
                            std::int64_t rowBytes)
{
    const std::int64_t rows = std::min(kBlockRows, M - m);
    return Ahead::Run::of(static_cast<const char*>(matrix) + m * rowBytes, rows * rowBytes);
}

/// body(first row, rows, first column, columns): blocks of C, as many for each thread. Columns are
/// cut where rows are few, and with `cutsColumns`: where both operands are packed, reading rows
/// again costs little.
template <class Body>
void everyBlock(std::int64_t M, std::int64_t N, int threads, bool cutsColumns, Body&& body)
{
    constexpr std::int64_t kFewestRows = 8 * kRows, kFewestRound = 32 * kRows; // or B is read often
    std::int64_t rows = kBlockRows, columns = std::max(N, kColumns);
    if (threads > 1) {
        const std::int64_t rounds =
            std::max((M + kBlockRows * threads - 1) / (kBlockRows * threads),
                     piecesOf(threads, M / kFewestRound) / threads);
        rows = inTiles((M + rounds * threads - 1) / std::max<std::int64_t>(rounds * threads, 1));
        if (rows < kFewestRows)
            rows = kFewestRows * threads, columns = kColumns;
        else if (cutsColumns) {
            const std::int64_t groups = (N + kColumns - 1) / kColumns, here = (M + rows - 1) / rows;
            const std::int64_t pieces = (piecesOf(threads, groups * here) + here - 1) / here;
            columns = (groups + pieces - 1) / pieces * kColumns;
        }
    }
    const std::int64_t down = (M + rows - 1) / rows, across = (N + columns - 1) / columns;
    parallelFor(down * across, [&](std::int64_t i) {
        const std::int64_t m = i / across * rows, n = i % across * columns;
        body(m, std::min(rows, M - m), n, std::min(columns, N - n));
    });
}

} // namespace scalebench::kernels::cpu::panels
