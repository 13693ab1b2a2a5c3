// SPDX-License-Identifier: GPL-3.0-or-later
// DLRM's interaction in bf16 by the instruction for pairs of products (VDPBF16PS), sample by
// sample, while its vectors are in the cache that is nearest.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/check.h"
#include "kernels/cpu/bf16_lanes.h"
#include "kernels/cpu/next_sample.h"
#include "kernels/cpu/panel_gemm.h"
#include "kernels/cpu/parallel.h"
#include "kernels/dot_interaction.h"

namespace scalebench::kernels::cpu {

bool dotInteractionOfPairs()
{
    return panels::available(DType::BF16);
}

#ifdef SB_AVX512_BF16

namespace {

constexpr std::int64_t kSamples = 64; // of one task

// --- forward: 4 x 4 products of vectors at a time, each a sum across a register ---

constexpr int kBlock = 4;
using Sums = __m512[kBlock][kBlock];

/// Halves, quarters, ... of a and b are added, those of a first.
template <int kFirst, int kSecond>
SB_BF16_INLINE __m512 addLanes(__m512 a, __m512 b)
{
    return _mm512_maskz_shuffle_f32x4(kAll16, a, b, kFirst) +
           _mm512_maskz_shuffle_f32x4(kAll16, a, b, kSecond);
}
SB_BF16_INLINE __m512 addWords(__m512 a, __m512 b)
{
    return _mm512_maskz_shuffle_ps(kAll16, a, b, 0x88) +
           _mm512_maskz_shuffle_ps(kAll16, a, b, 0xdd);
}

/// The sum across s[i][j] as number 4 i + j.
SB_BF16_INLINE __m512 sumsAcross(const Sums& s)
{
    __m512 columns[kBlock];
#pragma GCC unroll 4
    for (int j = 0; j < kBlock; ++j)
        columns[j] = addLanes<0x88, 0xdd>(addLanes<0x44, 0xee>(s[0][j], s[1][j]),
                                          addLanes<0x44, 0xee>(s[2][j], s[3][j]));
    return addWords(addWords(columns[0], columns[1]), addWords(columns[2], columns[3]));
}

/// Products of vectors i to i + 3 with vectors j to j + 3; what is not there repeats the last.
SB_BF16_INLINE __m256i productsOfBlock(const DotInteractionParams& p, const bf16_t* x,
                                       std::int64_t i, std::int64_t j, NextSample& next)
{
    const bf16_t *high[kBlock], *low[kBlock];
#pragma GCC unroll 4
    for (int r = 0; r < kBlock; ++r) {
        high[r] = x + std::min(i + r, p.F - 1) * p.D;
        low[r] = x + std::min(j + r, p.F - 1) * p.D;
    }
    Sums sums;
#pragma GCC unroll 4
    for (int r = 0; r < kBlock; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < kBlock; ++c)
            sums[r][c] = _mm512_setzero_ps();
    everyColumn(p.D, [&](std::int64_t d, auto there) SB_BF16_STEP {
        next.fetchLines<false>(1);
        __m512i b[kBlock];
#pragma GCC unroll 4
        for (int c = 0; c < kBlock; ++c)
            b[c] = loadWords(low[c] + d, there);
#pragma GCC unroll 4
        for (int r = 0; r < kBlock; ++r) {
            const __m512i a = loadWords(high[r] + d, there);
#pragma GCC unroll 4
            for (int c = 0; c < kBlock; ++c)
                sums[r][c] = _mm512_dpbf16_ps(sums[r][c], __m512bh(a), __m512bh(b[c]));
        }
    });
    return __m256i(_mm512_cvtneps_pbh(sumsAcross(sums)));
}

SB_BF16_TARGET void forwardSample(const DotInteractionParams& p, const bf16_t* x, NextSample next,
                                  bf16_t* y)
{
    std::memcpy(y, x, std::size_t(p.D) * sizeof(bf16_t));
    bf16_t* const pairs = y + p.D;
    for (std::int64_t i = 0; i < p.F; i += kBlock)
        for (std::int64_t j = 0; j <= i; j += kBlock) {
            bf16_t block[kBlock][kBlock];
            const __m256i products = productsOfBlock(p, x, i, j, next);
            std::memcpy(block, &products, sizeof block);
            for (std::int64_t r = 0; r < std::min<std::int64_t>(kBlock, p.F - i); ++r) {
                bf16_t* const to = pairs + (i + r) * (i + r - 1) / 2 + j;
                if (j < i)
                    std::memcpy(to, block[r], sizeof block[r]);
                else // on the diagonal: with the vectors before it
                    for (std::int64_t c = 0; c < r; ++c)
                        to[c] = block[r][c];
            }
        }
}

// --- backward: S X in blocks of rows and 64 columns, whose sums stay in registers ---

constexpr int kRows = 6;
constexpr std::int64_t kPanel = 16; // columns of a register of sums

/// Numbers from a row of S to the next.
std::int64_t squareRow(const DotInteractionParams& p)
{
    return (p.F + kLanes32 - 1) / kLanes32 * kLanes32;
}

/// S of a sample; zeros where a row is longer.
SB_BF16_TARGET void symmetricOfSample(const DotInteractionParams& p, const bf16_t* pairs,
                                      std::int64_t ld, bf16_t* s)
{
    for (std::int64_t i = 0; i < p.F; pairs += i, ++i) {
        for (std::int64_t j = 0; j < ld; j += kLanes32)
            _mm512_storeu_si512(s + i * ld + j,
                                _mm512_maskz_loadu_epi16(firstOf32(i - j), pairs + j));
        for (std::int64_t j = 0; j < i; ++j)
            s[j * ld + i] = pairs[j];
    }
}

/// Columns d to d + 16 NV of x, of which there are `left`: of every two vectors the numbers side by
/// side.
template <int NV>
SB_BF16_INLINE void pairVectors(const DotInteractionParams& p, const bf16_t* x, std::int64_t left,
                                std::uint32_t* panel)
{
    const __m512i low = _mm512_set_epi16(47, 15, 46, 14, 45, 13, 44, 12, 43, 11, 42, 10, 41, 9, 40,
                                         8, 39, 7, 38, 6, 37, 5, 36, 4, 35, 3, 34, 2, 33, 1, 32, 0);
    for (std::int64_t f = 0; f < p.F; f += 2, panel += NV * kPanel)
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n) {
            const __mmask32 there = firstOf32(std::min(left - n * kPanel, kPanel));
            const bf16_t* const from = x + f * p.D + n * kPanel;
            const __m512i even = _mm512_maskz_loadu_epi16(there, from);
            const __m512i odd =
                f + 1 < p.F ? _mm512_maskz_loadu_epi16(there, from + p.D) : _mm512_setzero_si512();
            _mm512_storeu_si512(panel + n * kPanel,
                                _mm512_maskz_permutex2var_epi16(__mmask32(~0u), even, low, odd));
        }
}

/// What the products of a sample are made of, and where they go: MR rows, NV panels.
struct Products {
    const bf16_t* square;
    std::int64_t ld;
    const std::uint32_t* panel;
    std::int64_t pairs, left; ///< of vectors; columns that there are
    bf16_t* dx;
    std::int64_t D;
};

/// Rows from `row` on; `dense` is added to the first.
template <int MR, int NV>
SB_BF16_INLINE void rowsOfProducts(const Products& of, std::int64_t row, const bf16_t* dense,
                                   NextSample& read, NextSample& written)
{
    const bf16_t* const s = of.square + row * of.ld;
    __m512 sum[MR][NV];
#pragma GCC unroll 6
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            sum[m][n] = _mm512_setzero_ps();
    if (dense)
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            sum[0][n] = widened(
                _mm256_maskz_loadu_epi16(firstOf16(of.left - n * kPanel), dense + n * kPanel));
    for (std::int64_t k = 0; k < of.pairs; ++k) {
        read.fetchLines<false>(1);
        written.fetchLines<true>(1);
        __m512i b[NV];
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            b[n] = _mm512_loadu_si512(of.panel + (k * NV + n) * kPanel);
#pragma GCC unroll 6
        for (int m = 0; m < MR; ++m) {
            std::int32_t pair;
            std::memcpy(&pair, s + m * of.ld + 2 * k, sizeof pair);
            const __m512i a = _mm512_set1_epi32(pair);
#pragma GCC unroll 4
            for (int n = 0; n < NV; ++n)
                sum[m][n] = _mm512_dpbf16_ps(sum[m][n], __m512bh(a), __m512bh(b[n]));
        }
    }
#pragma GCC unroll 6
    for (int m = 0; m < MR; ++m)
#pragma GCC unroll 4
        for (int n = 0; n < NV; ++n)
            _mm256_mask_storeu_epi16(of.dx + (row + m) * of.D + n * kPanel,
                                     firstOf16(of.left - n * kPanel),
                                     __m256i(_mm512_cvtneps_pbh(sum[m][n])));
}

template <int MR, int NV>
SB_BF16_INLINE void lastRows(const Products& of, std::int64_t rows, std::int64_t row,
                             const bf16_t* dense, NextSample& read, NextSample& written)
{
    if (rows == MR)
        return rowsOfProducts<MR, NV>(of, row, dense, read, written);
    if constexpr (MR > 1)
        lastRows<MR - 1, NV>(of, rows, row, dense, read, written);
}

/// Columns from d on.
template <int NV>
SB_BF16_TARGET void columnsOfSample(const DotInteractionParams& p, Products of, const bf16_t* x,
                                    const bf16_t* dense, std::uint32_t* panel, NextSample& read,
                                    NextSample& written)
{
    pairVectors<NV>(p, x, of.left, panel);
    of.panel = panel;
    // As even as may be: few rows would wait for one another.
    const std::int64_t tiles = (p.F + kRows - 1) / kRows;
    std::int64_t row = 0;
    for (std::int64_t i = 0; i < tiles; ++i) {
        const std::int64_t rows = p.F / tiles + (i < p.F % tiles ? 1 : 0);
        lastRows<kRows, NV>(of, rows, row, i == 0 ? dense : nullptr, read, written);
        row += rows;
    }
}

} // namespace

void dotInteractionForward(const DotInteractionParams& p, const bf16_t* x, bf16_t* y)
{
    const std::int64_t size = p.F * p.D;
    parallelRanges(p.B, kSamples, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t n = first; n < last; ++n)
            forwardSample(p, x + n * size, NextSample(x + n * size, size, n + 1 == last),
                          y + n * p.width());
    });
}

void dotInteractionBackward(const DotInteractionParams& p, const bf16_t* x, const bf16_t* dy,
                            bf16_t* dx)
{
    constexpr int kPanels = 4;
    const std::int64_t size = p.F * p.D, ld = squareRow(p), pairs = (p.F + 1) / 2;
    parallelRanges(p.B, kSamples, [&](std::int64_t first, std::int64_t last) {
        thread_local std::vector<bf16_t> square;
        thread_local std::vector<std::uint32_t> panel;
        square.resize(std::size_t(p.F * ld));
        panel.resize(std::size_t(pairs * kPanels * kPanel));
        for (std::int64_t n = first; n < last; ++n) {
            const bf16_t *const from = x + n * size, *const dense = dy + n * p.width();
            bf16_t* const to = dx + n * size;
            NextSample read(from, size, n + 1 == last), written(to, size, n + 1 == last);
            symmetricOfSample(p, dense + p.D, ld, square.data());
            std::int64_t d = 0;
            const auto columns = [&](auto sums) {
                columnsOfSample<decltype(sums)::value>(
                    p, {square.data(), ld, nullptr, pairs, p.D - d, to + d, p.D}, from + d,
                    dense + d, panel.data(), read, written);
            };
            for (; d + kPanels * kPanel <= p.D; d += kPanels * kPanel)
                columns(std::integral_constant<int, kPanels>{});
            for (; d < p.D; d += kPanel)
                columns(std::integral_constant<int, 1>{});
        }
    });
}

#else

void dotInteractionForward(const DotInteractionParams&, const bf16_t*, bf16_t*)
{
    throw Unsupported("dot interaction of pairs: this processor has no instructions for it");
}
void dotInteractionBackward(const DotInteractionParams&, const bf16_t*, const bf16_t*, bf16_t*)
{
    throw Unsupported("dot interaction of pairs: this processor has no instructions for it");
}

#endif

} // namespace scalebench::kernels::cpu
