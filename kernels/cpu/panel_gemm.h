// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products with AVX-512 for operands that come from outside the caches: in fp32, and in bf16
// by the instruction that adds a pair of products to each sum (VDPBF16PS). A word of a packed
// operand is an fp32 number or a pair of bf16 numbers. A row of the result is summed in one order,
// whatever lies beside it. Only where available().

#include <algorithm>
#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu::panels {

/// Columns of a panel of B and of those that are multiplied at once; rows of a tile of A.
constexpr std::int64_t kPanel = 16, kColumns = 4 * kPanel, kRows = 6;

/// Whether this processor has the instructions, may use them, and was measured to be faster so;
/// bf16 also: at twice the rate of fp32. Rows in bf16 are multiplied by AMX instead where that is
/// (panel_amx.h).
bool available(DType type);

template <class T>
constexpr std::int64_t kInWord = std::int64_t(sizeof(std::uint32_t) / sizeof(T));
/// Of a row of A or a column of B.
template <class T>
constexpr std::int64_t wordsOf(std::int64_t depth)
{
    return (depth + kInWord<T> - 1) / kInWord<T>;
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

/// B: in groups of kColumns columns, the last of which may be narrower; of each the first word of
/// all its columns, then the second.
template <class T>
struct Panels {
    const std::uint32_t* at;
    std::int64_t
        words; ///< of a column: those of column n, a multiple of kColumns, lie at n * words
    std::int64_t first = 0; ///< word of each column that is multiplied first
};
/// A as rows, lda numbers apart, or in tiles of kRows rows, of each the first word of all its rows,
/// then the second.
template <class T>
struct Rows {
    const T* at;
    std::int64_t lda;
};
template <class T>
struct Tiles {
    const std::uint32_t* at;
    std::int64_t words; ///< of a row: those of row m, a multiple of kRows, lie at m * words
};

/// x as B, or its transpose as A: words from `first` on, of `words`; zeros where there is nothing.
void packPanels(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                std::uint32_t* panels, std::int64_t first, std::int64_t words);
void packPanels(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                std::uint32_t* panels, std::int64_t first, std::int64_t words);
void packTiles(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
               std::uint32_t* tiles, std::int64_t first, std::int64_t words);
void packTiles(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
               std::uint32_t* tiles, std::int64_t first, std::int64_t words);
/// The transpose of x, rows x columns, as rows that lie ldOut numbers apart, filled up with zeros
/// to whole tiles of AMX: 32 numbers.
void packRows(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
              bf16_t* out, std::int64_t ldOut);
/// The transpose of x, rows x columns with at most kPanel rows, as columns of a group that is
/// `width` wide.
void packTransposed(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                    std::uint32_t* panel, std::int64_t width);
void packTransposed(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                    std::uint32_t* panel, std::int64_t width);
/// x, rows x columns, rounded to bf16: its transpose and itself as B, of which one may be null.
/// Rows from `first`, a multiple of kColumns, on, at most kColumns.
void packWeight(const float* x, std::int64_t rows, std::int64_t columns, std::int64_t first,
                std::uint32_t* transposed, std::uint32_t* plain);

/// What becomes of a sum. `accumulate`: added to what C holds, without the others.
struct Finish {
    const float* bias = nullptr;
    bool relu = false, accumulate = false;
};

/// What is fetched from the memory while a product is computed: up to three blocks of lines, in
/// turn.
struct Ahead {
    static constexpr std::int64_t kLineBytes = 64;
    /// `again` times `lines` lines, each `step` bytes behind the one before it.
    struct Run {
        const char* at = nullptr;
        std::int64_t lines = 0, step = kLineBytes, again = 1;

        static Run of(const void* at, std::int64_t bytes)
        {
            return {static_cast<const char*>(at), std::max<std::int64_t>(0, bytes / kLineBytes)};
        }
        /// Rows of so many bytes, `ld` bytes apart: of all the first line, then of all the second.
        static Run of(const void* at, std::int64_t rows, std::int64_t bytes, std::int64_t ld)
        {
            if (bytes == ld)
                return of(at, rows * bytes);
            const auto begin = std::int64_t(reinterpret_cast<std::uintptr_t>(at) % kLineBytes);
            return {static_cast<const char*>(at), rows, ld,
                    (begin + bytes + kLineBytes - 1) / kLineBytes};
        }
        std::int64_t left() const { return lines * again; }
    };
    Run runs[3];
};

/// C [M,N] = A B, K deep. A is Rows<T> or Tiles<T>, C of fp32, or of bf16 where A is Rows<bf16_t>;
/// the other forms are not there.
template <class A, class T, class C>
void multiply(std::int64_t M, std::int64_t N, std::int64_t K, A a, Panels<T> b, Finish finish, C* c,
              std::int64_t ldc, Ahead ahead = {});

} // namespace scalebench::kernels::cpu::panels
