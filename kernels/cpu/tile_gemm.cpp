// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/tile_gemm.h"

#include <cstring>

#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu::tile {
namespace {

using Vector [[gnu::vector_size(64)]] = float;
using Words [[gnu::vector_size(64)]] = std::uint32_t;

/// MR rows times NV vectors of C, held in registers over the whole sum.
template <int MR, int NV>
SB_HOST_DEVICE void block(std::int64_t K, const float* A, std::int64_t lda, const float* B,
                          std::int64_t ldb, float* C, std::int64_t ldc, bool accumulate)
{
    Vector c[MR][NV];
#pragma GCC unroll 16
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            c[m][n] =
                accumulate ? *reinterpret_cast<const Vector*>(C + m * ldc + n * kEdge) : Vector{};
    for (std::int64_t k = 0; k < K; ++k) {
        Vector b[NV];
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            b[n] = *reinterpret_cast<const Vector*>(B + k * ldb + n * kEdge);
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
            *reinterpret_cast<Vector*>(C + m * ldc + n * kEdge) = c[m][n];
}

template <int NV>
SB_HOST_DEVICE void columnsOfBlocks(std::int64_t M, std::int64_t K, const float* A,
                                    std::int64_t lda, const float* B, std::int64_t ldb, float* C,
                                    std::int64_t ldc, bool accumulate)
{
    std::int64_t m = 0;
    for (; m + 8 <= M; m += 8)
        block<8, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
    for (; m < M; ++m)
        block<1, NV>(K, A + m * lda, lda, B, ldb, C + m * ldc, ldc, accumulate);
}

SB_TARGET_CLONES void multiplyF32(std::int64_t M, std::int64_t N, std::int64_t K, const float* A,
                                  std::int64_t lda, const float* B, std::int64_t ldb, float* C,
                                  std::int64_t ldc, bool accumulate)
{
    std::int64_t n = 0;
    for (; n + 2 * kEdge <= N; n += 2 * kEdge)
        columnsOfBlocks<2>(M, K, A, lda, B + n, ldb, C + n, ldc, accumulate);
    for (; n < N; n += kEdge)
        columnsOfBlocks<1>(M, K, A, lda, B + n, ldb, C + n, ldc, accumulate);
}

/// 16 x 16 words: four rounds of swapping halves between rows 8, 4, 2, 1 apart.
SB_HOST_DEVICE void transposeBlock(const std::uint32_t* x, std::int64_t ldx, std::uint32_t* y,
                                   std::int64_t ldy)
{
    Words r[16], t[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
        std::memcpy(&r[i], x + i * ldx, sizeof(Words));
    const Words lo8 = {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23},
                hi8 = {8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31},
                lo4 = {0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27},
                hi4 = {4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31},
                lo2 = {0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29},
                hi2 = {2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31},
                lo1 = {0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30},
                hi1 = {1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31};
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
        t[i] = __builtin_shuffle(r[i], r[i + 8], lo8);
        t[i + 8] = __builtin_shuffle(r[i], r[i + 8], hi8);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
        if ((i & 4) == 0) {
            r[i] = __builtin_shuffle(t[i], t[i + 4], lo4);
            r[i + 4] = __builtin_shuffle(t[i], t[i + 4], hi4);
        }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
        if ((i & 2) == 0) {
            t[i] = __builtin_shuffle(r[i], r[i + 2], lo2);
            t[i + 2] = __builtin_shuffle(r[i], r[i + 2], hi2);
        }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
        if ((i & 1) == 0) {
            r[i] = __builtin_shuffle(t[i], t[i + 1], lo1);
            r[i + 1] = __builtin_shuffle(t[i], t[i + 1], hi1);
        }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i)
        std::memcpy(y + i * ldy, &r[i], sizeof(Words));
}

/// rows x columns words, both multiples of 16.
SB_TARGET_CLONES void transposeWords(const std::uint32_t* x, std::int64_t ldx, std::int64_t rows,
                                     std::int64_t columns, std::uint32_t* y)
{
    for (std::int64_t r = 0; r < rows; r += kEdge)
        for (std::int64_t c = 0; c < columns; c += kEdge)
            transposeBlock(x + r * ldx + c, ldx, y + c * rows + r, rows);
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

SB_TARGET_CLONES void pairBf16(const bf16_t* a, std::int64_t lda, std::int64_t rows,
                               std::int64_t columns, std::uint32_t* out)
{
    for (std::int64_t r = 0; r < rows; r += 2, a += 2 * lda, out += columns)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c)
            out[c] = std::uint32_t(a[c]) | std::uint32_t(a[lda + c]) << 16;
}
SB_TARGET_CLONES void pairF32(const float* a, std::int64_t rows, std::int64_t columns,
                              std::uint32_t* out)
{
    for (std::int64_t r = 0; r < rows; r += 2, a += 2 * columns, out += columns)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c)
            out[c] = std::uint32_t(formula::f32ToBf16(a[c])) |
                     std::uint32_t(formula::f32ToBf16(a[columns + c])) << 16;
}
SB_TARGET_CLONES void roundBf16(const float* a, std::int64_t n, bf16_t* out)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        out[i] = formula::f32ToBf16(a[i]);
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
    multiplyF32(M, N, K, A, lda, B, ldb, C, ldc, accumulate);
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
              bf16_t* out)
{
    pairBf16(a, lda, rows, columns, words(out));
}
void transposeToB(const float* a, std::int64_t lda, std::int64_t rows, std::int64_t columns,
                  float* out)
{
    transposeWords(words(a), lda, rows, columns, words(out));
}
// Two neighbours of a row are one word here and one pair of rows there.
void transposeToB(const bf16_t* a, std::int64_t lda, std::int64_t rows, std::int64_t columns,
                  bf16_t* out)
{
    transposeWords(words(a), lda / 2, rows, columns / 2, words(out));
}
void transposeToA(const float* b, std::int64_t rows, std::int64_t columns, float* out)
{
    transposeWords(words(b), columns, rows, columns, words(out));
}
void transposeToA(const bf16_t* b, std::int64_t rows, std::int64_t columns, bf16_t* out)
{
    transposeWords(words(b), columns, rows / 2, columns, words(out));
}
void roundToA(const float* c, std::int64_t rows, std::int64_t columns, bf16_t* out)
{
    roundBf16(c, rows * columns, out);
}
void roundToB(const float* c, std::int64_t rows, std::int64_t columns, bf16_t* out)
{
    pairF32(c, rows, columns, words(out));
}

} // namespace scalebench::kernels::cpu::tile
