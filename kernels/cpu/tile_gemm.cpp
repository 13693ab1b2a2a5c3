// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/tile_gemm.h"

#include <cstring>

#include "kernels/cpu/square_transpose.h"
#include "kernels/cpu_level.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu::tile {
namespace {

/// MR rows times NV vectors of C, held in registers over the whole sum.
template <class Vector, int MR, int NV>
SB_HOST_DEVICE void block(std::int64_t K, const float* A, std::int64_t lda, const float* B,
                          std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate)
{
    constexpr int kWidth = int(sizeof(Vector) / sizeof(float));
    Vector c[MR][NV];
#pragma GCC unroll 16
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            c[m][n] =
                accumulate ? *reinterpret_cast<const Vector*>(C + m * ldc + n * kWidth) : Vector{};
    for (std::int64_t k = 0; k < K; ++k) {
        Vector b[NV];
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            b[n] = *reinterpret_cast<const Vector*>(B + k * ldb + n * kWidth);
#pragma GCC unroll 16
        for (int m = 0; m < MR; ++m) {
            const float a = A[m * lda + k];
#pragma GCC unroll 4
            for (int n = 0; n < NV; ++n)
                c[m][n] += a * b[n];
        }
    }
#pragma GCC unroll 16
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            *reinterpret_cast<Vector*>(C + m * ldc + n * kWidth) = c[m][n];
}

/// All rows of NV vectors of columns: MR rows at a time, then what is left of them.
template <class Vector, int MR, int NV>
SB_HOST_DEVICE void columnsOfBlocks(std::int64_t M, std::int64_t K, const float* A,
                                    std::int64_t lda, const float* B, std::int64_t ldb, float* C,
                                    std::int64_t ldc, bool accumulate)
{
    std::int64_t m = 0;
    for (; m + MR <= M; m += MR)
        block<Vector, MR, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
    for (; m + 4 <= M; m += 4)
        block<Vector, 4, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
    for (; m + 2 <= M; m += 2)
        block<Vector, 2, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
    for (; m < M; ++m)
        block<Vector, 1, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
}

template <class Vector, int MR>
SB_HOST_DEVICE void multiplyBlocks(std::int64_t M, std::int64_t N, std::int64_t K, const float* A,
                                   std::int64_t lda, const float* B, std::int64_t ldb, float* C,
                                   std::int64_t ldc, bool accumulate)
{
    constexpr std::int64_t kWidth = sizeof(Vector) / sizeof(float);
    std::int64_t n = 0;
    for (; n + 2 * kWidth <= N; n += 2 * kWidth)
        columnsOfBlocks<Vector, MR, 2>(M, K, A, lda, B + n, ldb, C + n, ldc, accumulate);
    for (; n < N; n += kWidth)
        columnsOfBlocks<Vector, MR, 1>(M, K, A, lda, B + n, ldb, C + n, ldc, accumulate);
}

/// A square block, of whose rows there are so many. y: rows `ldy` words apart.
template <class Words, bool kAll>
SB_HOST_DEVICE void transposeBlock(const std::uint32_t* x, std::int64_t ldx, std::int64_t rows,
                                   std::uint32_t* y, std::int64_t ldy)
{
    constexpr int kWidth = int(sizeof(Words) / sizeof(std::uint32_t));
    Words block[kWidth];
#pragma GCC unroll 16
    for (int i = 0; i < kWidth; ++i)
        if (kAll || i < rows)
            std::memcpy(&block[i], x + i * ldx, sizeof(Words));
        else
            block[i] = Words{};
    transposeSquare(block);
#pragma GCC unroll 16
    for (int i = 0; i < kWidth; ++i)
        std::memcpy(y + i * ldy, &block[i], sizeof(Words));
}

/// rows x columns words to columns x paddedRows, in square blocks as wide as a vector; columns and
/// paddedRows are multiples of 16.
template <class Words>
SB_HOST_DEVICE void transposeBlocks(const std::uint32_t* x, std::int64_t ldx, std::int64_t rows,
                                    std::int64_t columns, std::int64_t paddedRows, std::uint32_t* y)
{
    constexpr std::int64_t kWidth = sizeof(Words) / sizeof(std::uint32_t);
    std::int64_t r = 0;
    for (; r + kWidth <= rows; r += kWidth)
        for (std::int64_t c = 0; c < columns; c += kWidth)
            transposeBlock<Words, true>(x + r * ldx + c, ldx, kWidth, y + c * paddedRows + r,
                                        paddedRows);
    for (; r < paddedRows; r += kWidth)
        for (std::int64_t c = 0; c < columns; c += kWidth)
            transposeBlock<Words, false>(x + r * ldx + c, ldx, rows - r, y + c * paddedRows + r,
                                         paddedRows);
}

// A compiler cannot choose the block by instruction set in one function with clones, and blocks for
// AVX-512 spill with the 16 registers of AVX2: each set has functions of its own.

struct LevelFunctions {
    void (*multiply)(std::int64_t M, std::int64_t N, std::int64_t K, const float* A,
                     std::int64_t lda, const float* B, std::int64_t ldb, float* C, std::int64_t ldc,
                     bool accumulate);
    void (*transpose)(const std::uint32_t* x, std::int64_t ldx, std::int64_t rows,
                      std::int64_t columns, std::int64_t paddedRows, std::uint32_t* y);
};

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute takes none.
#define SB_LEVEL_FUNCTIONS(name, target, bytes, rowsOfBlock)                                       \
    using name##Vector [[gnu::vector_size(bytes)]] = float;                                        \
    using name##Words [[gnu::vector_size(bytes)]] = std::uint32_t;                                 \
    target void multiply##name(std::int64_t M, std::int64_t N, std::int64_t K, const float* A,     \
                               std::int64_t lda, const float* B, std::int64_t ldb, float* C,       \
                               std::int64_t ldc, bool accumulate)                                  \
    {                                                                                              \
        multiplyBlocks<name##Vector, rowsOfBlock>(M, N, K, A, lda, B, ldb, C, ldc, accumulate);    \
    }                                                                                              \
    target void transpose##name(const std::uint32_t* x, std::int64_t ldx, std::int64_t rows,       \
                                std::int64_t columns, std::int64_t paddedRows, std::uint32_t* y)   \
    {                                                                                              \
        transposeBlocks<name##Words>(x, ldx, rows, columns, paddedRows, y);                        \
    }
// NOLINTEND(bugprone-macro-parentheses)

SB_LEVEL_FUNCTIONS(Plain, , 16, 4)
#if defined(__x86_64__)
SB_LEVEL_FUNCTIONS(Avx2, [[gnu::target("arch=x86-64-v3")]], 32, 6)
SB_LEVEL_FUNCTIONS(Avx512, [[gnu::target("arch=x86-64-v4")]], 64, 8)
#endif
#undef SB_LEVEL_FUNCTIONS

const LevelFunctions& levelFunctions()
{
    static constexpr LevelFunctions kByLevel[] = {
        {multiplyPlain, transposePlain},
#if defined(__x86_64__)
        {multiplyAvx2, transposeAvx2},
        {multiplyAvx512, transposeAvx512},
#endif
    };
    static const LevelFunctions& chosen = kByLevel[int(cpuLevel())];
    return chosen;
}

template <class In, class Out>
SB_HOST_DEVICE void packRows(const In* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
                             Out* out, std::int64_t paddedRows, std::int64_t paddedColumns)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        Out* to = out + r * paddedColumns;
        const In* from = x + r * ld;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c) {
            if constexpr (sizeof(In) == sizeof(Out))
                to[c] = from[c];
            else
                to[c] = formula::load(from + c);
        }
        for (std::int64_t c = columns; c < paddedColumns; ++c)
            to[c] = Out(0);
    }
    std::memset(out + rows * paddedColumns, 0,
                std::size_t((paddedRows - rows) * paddedColumns) * sizeof(Out));
}
SB_TARGET_CLONES void packWiden(const bf16_t* x, std::int64_t ld, std::int64_t rows,
                                std::int64_t columns, float* out, std::int64_t paddedRows,
                                std::int64_t paddedColumns)
{
    packRows(x, ld, rows, columns, out, paddedRows, paddedColumns);
}
SB_TARGET_CLONES void packF32(const float* x, std::int64_t ld, std::int64_t rows,
                              std::int64_t columns, float* out, std::int64_t paddedRows,
                              std::int64_t paddedColumns)
{
    packRows(x, ld, rows, columns, out, paddedRows, paddedColumns);
}
SB_TARGET_CLONES void packBf16(const bf16_t* x, std::int64_t ld, std::int64_t rows,
                               std::int64_t columns, bf16_t* out, std::int64_t paddedRows,
                               std::int64_t paddedColumns)
{
    packRows(x, ld, rows, columns, out, paddedRows, paddedColumns);
}

SB_TARGET_CLONES void pairBf16(const bf16_t* a, std::int64_t lda, std::int64_t pairs,
                               std::int64_t columns, std::uint32_t* out)
{
    for (std::int64_t r = 0; r < pairs; ++r, a += 2 * lda, out += columns)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c)
            out[c] = std::uint32_t(a[c]) | std::uint32_t(a[lda + c]) << 16;
}

const std::uint32_t* words(const void* p)
{
    return static_cast<const std::uint32_t*>(p);
}
std::uint32_t* words(void* p)
{
    return static_cast<std::uint32_t*>(p);
}

} // namespace

void multiply(std::int64_t M, std::int64_t N, std::int64_t K, const float* A, std::int64_t lda,
              const float* B, std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate)
{
    levelFunctions().multiply(M, N, K, A, lda, B, ldb, C, ldc, accumulate);
}

void packA(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t columns, float* out,
           std::int64_t paddedRows, std::int64_t paddedColumns)
{
    packF32(x, ld, rows, columns, out, paddedRows, paddedColumns);
}
void packA(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns, float* out,
           std::int64_t paddedRows, std::int64_t paddedColumns)
{
    packWiden(x, ld, rows, columns, out, paddedRows, paddedColumns);
}
void packA(const bf16_t* x, std::int64_t ld, std::int64_t rows, std::int64_t columns, bf16_t* out,
           std::int64_t paddedRows, std::int64_t paddedColumns)
{
    packBf16(x, ld, rows, columns, out, paddedRows, paddedColumns);
}
void pairRows(const bf16_t* a, std::int64_t lda, std::int64_t rows, std::int64_t columns,
              std::int64_t paddedRows, bf16_t* out)
{
    pairBf16(a, lda, rows / 2, columns, words(out));
    out += rows / 2 * 2 * columns;
    if (rows % 2 != 0) {
        const bf16_t* const last = a + (rows - 1) * lda;
        for (std::int64_t c = 0; c < columns; ++c, out += 2)
            out[0] = last[c], out[1] = 0;
    }
    std::memset(out, 0, std::size_t((paddedRows - padded(rows, 2)) * columns) * sizeof(bf16_t));
}
void transposeToB(const float* a, std::int64_t lda, std::int64_t rows, std::int64_t columns,
                  std::int64_t paddedRows, float* out)
{
    levelFunctions().transpose(words(a), lda, rows, columns, paddedRows, words(out));
}
// Two neighbours of a row are one word here and one pair of rows there.
void transposeToB(const bf16_t* a, std::int64_t lda, std::int64_t rows, std::int64_t columns,
                  std::int64_t paddedRows, bf16_t* out)
{
    levelFunctions().transpose(words(a), lda / 2, rows, columns / 2, paddedRows, words(out));
}
void transposeToA(const bf16_t* b, std::int64_t rows, std::int64_t columns, std::int64_t paddedRows,
                  bf16_t* out)
{
    levelFunctions().transpose(words(b), columns, rows / 2, columns, paddedRows / 2, words(out));
}

} // namespace scalebench::kernels::cpu::tile
