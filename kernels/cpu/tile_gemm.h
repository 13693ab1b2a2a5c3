// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Small matrix products on tiles that lie in the cache, for ops that keep a whole chain of them
// there (attention). One thread; nothing is allocated. Operands are padded with zeros:
//   A  [M][K], rows `lda` elements apart
//   B  fp32: [K][N]; bf16: rows in pairs, [K/2][N][2] ("VNNI"), which is what AMX and AVX512_BF16
//   multiply C  fp32 [M][N], 64-byte aligned rows
// N is a multiple of 16, M and K of what edges() says; lda at least K.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu::tile {

constexpr std::int64_t kEdge = 16;  ///< of a block of C
constexpr std::int64_t kDepth = 32; ///< bf16 products summed by one instruction of AMX

constexpr std::int64_t padded(std::int64_t n, std::int64_t to)
{
    return (n + to - 1) / to * to;
}

/// What sizes of products are padded to: rows of A and C, columns of B and C, the sum's depth. What
/// is padded as `columns` may also be a depth.
struct Edges {
    std::int64_t rows, columns, depth;
};
constexpr Edges kFloatEdges{1, kEdge, 1};
/// AMX multiplies whole tiles, AVX512_BF16 pairs.
Edges pairEdges();

/// C = A B, or C += A B.
void multiply(std::int64_t M, std::int64_t N, std::int64_t K, const float* A, std::int64_t lda,
              const float* B, std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate);
/// The same in bf16, where bf16Available(); inside an AmxScope where amxAvailable(). ldb: elements
/// of a row of pairs / 2 = padded N.
void multiply(std::int64_t M, std::int64_t N, std::int64_t K, const bf16_t* A, std::int64_t lda,
              const bf16_t* B, std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate);

/// Whether bf16 products are faster here than fp32 ones of widened operands.
bool bf16Available();
/// Whether this process may use the processor's AMX tiles for bf16 (asks the system once).
bool amxAvailable();

/// Sets the tile registers up for multiply() on this thread, and gives them back; does nothing
/// without AMX. No other user of the tiles (oneDNN) may run inside.
class AmxScope
{
public:
    explicit AmxScope(bool wanted);
    ~AmxScope();
    AmxScope(const AmxScope&) = delete;
    AmxScope& operator=(const AmxScope&) = delete;

private:
    bool on_;
};

// --- packing: source rows `ld` elements apart, `rows` x `columns`; the rest of the padded target,
// --- [paddedRows][paddedColumns] of the A or B form, becomes zero.

/// As it lies, in A form; bf16 sources may become fp32.
void packA(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t columns, float* out,
           std::int64_t paddedRows, std::int64_t paddedColumns);
void packA(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns, float* out,
           std::int64_t paddedRows, std::int64_t paddedColumns);
void packA(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns, bf16_t* out,
           std::int64_t paddedRows, std::int64_t paddedColumns);
/// A form (rows `lda` elements apart) to B form of the same matrix: pairs its rows. The target has
/// an even number of rows, `paddedRows`; zeros where the source has none.
void pairRows(const bf16_t* a, std::int64_t lda, std::int64_t rows, std::int64_t columns,
              std::int64_t paddedRows, bf16_t* out);
/// A form, rows x columns, to B form of its transpose, columns x paddedRows, zeros where the source
/// has no row. Columns are a multiple of 16 (bf16: of 32), as are paddedRows (of 16).
void transposeToB(const float* a, std::int64_t lda, std::int64_t rows, std::int64_t columns,
                  std::int64_t paddedRows, float* out);
void transposeToB(const bf16_t* a, std::int64_t lda, std::int64_t rows, std::int64_t columns,
                  std::int64_t paddedRows, bf16_t* out);
/// B form, rows x columns, to A form of its transpose, columns x paddedRows (a multiple of 32).
/// Rows are even.
void transposeToA(const bf16_t* b, std::int64_t rows, std::int64_t columns, std::int64_t paddedRows,
                  bf16_t* out);

} // namespace scalebench::kernels::cpu::tile
