// SPDX-License-Identifier: GPL-3.0-or-later
// What products of panels multiply: the order of their operands.
#include <algorithm>

#include "kernels/check.h"
#include "kernels/cpu/avx512_bf16.h"
#include "kernels/cpu/panel_gemm.h"
#include "kernels/cpu/square_transpose.h"

namespace scalebench::kernels::cpu::panels {

#ifdef SB_AVX512_BF16

namespace {

constexpr std::int64_t kWide = 2 * kPanel; // columns in a vector of bf16

using Words16 [[gnu::vector_size(64)]] = std::uint32_t;

/// Both rows' numbers in turn: the first half of the columns, then the second.
SB_BF16_TARGET inline void interleave(__m512i a, __m512i b, __m512i& low, __m512i& high)
{
    const __m512i widen =
        _mm512_set_epi16(47, 15, 46, 14, 45, 13, 44, 12, 43, 11, 42, 10, 41, 9, 40, 8, 39, 7, 38, 6,
                         37, 5, 36, 4, 35, 3, 34, 2, 33, 1, 32, 0);
    low = _mm512_permutex2var_epi16(a, widen, b);
    high = _mm512_permutex2var_epi16(a, _mm512_add_epi16(widen, _mm512_set1_epi16(16)), b);
}

} // namespace

SB_BF16_TARGET void packPanels(const bf16_t* x, std::int64_t ld, std::int64_t rows,
                               std::int64_t columns, std::uint32_t* panels, std::int64_t first,
                               std::int64_t words)
{
    constexpr std::int64_t kPairs = 4; // of a group of columns before the next
    for (std::int64_t begin = 0; begin < wordsOf<bf16_t>(rows); begin += kPairs) {
        const std::int64_t end = std::min(begin + kPairs, wordsOf<bf16_t>(rows));
        for (std::int64_t c = 0; c < columns; c += kColumns) {
            const std::int64_t width = groupWidth(c, columns);
            const __mmask32 mask[2] = {firstOf32(columns - c), firstOf32(columns - c - kWide)};
            std::uint32_t* to = panels + c * words + (first + begin) * width;
            for (std::int64_t p = begin; p < end; ++p, to += width) {
                const bf16_t* const at = x + 2 * p * ld + c;
                const bool both = 2 * p + 1 < rows;
                for (std::int64_t half = 0; half < width; half += kWide) {
                    const __mmask32 here = mask[half / kWide];
                    const __m512i a = _mm512_maskz_loadu_epi16(here, at + half);
                    const __m512i b =
                        _mm512_maskz_loadu_epi16(both ? here : 0, at + (both ? ld : 0) + half);
                    __m512i low, high;
                    interleave(a, b, low, high);
                    _mm512_storeu_si512(to + half, low);
                    if (half + kPanel < width)
                        _mm512_storeu_si512(to + half + kPanel, high);
                }
            }
        }
    }
}

SB_BF16_TARGET void packTiles(const bf16_t* x, std::int64_t ld, std::int64_t rows,
                              std::int64_t columns, std::uint32_t* tiles, std::int64_t first,
                              std::int64_t words)
{
    constexpr std::int64_t kPairs = 8, kAhead = 8; // tiles whose room is fetched before they come
    static_assert(kRows == 6);
    for (std::int64_t begin = 0; begin < wordsOf<bf16_t>(rows); begin += kPairs) {
        const std::int64_t end = std::min(begin + kPairs, wordsOf<bf16_t>(rows));
        for (std::int64_t c = 0; c < columns; c += kRows) {
            const auto mask = __mmask8((1u << std::min(kRows, columns - c)) - 1u);
            std::uint32_t* to = tiles + c * words + (first + begin) * kRows;
            for (std::int64_t i = 0; i < kPairs * kRows; i += kPanel)
                __builtin_prefetch(to + kAhead * kRows * words + i, 1);
            for (std::int64_t p = begin; p < end; ++p, to += kRows) {
                const bf16_t* const at = x + 2 * p * ld + c;
                const __m128i a = _mm_maskz_loadu_epi16(mask, at);
                const __m128i b = _mm_maskz_loadu_epi16(2 * p + 1 < rows ? mask : __mmask8(0),
                                                        at + (2 * p + 1 < rows ? ld : 0));
                _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_unpacklo_epi16(a, b));
                _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 4), _mm_unpackhi_epi16(a, b));
            }
        }
    }
}

SB_BF16_TARGET void packRows(const bf16_t* x, std::int64_t ld, std::int64_t rows,
                             std::int64_t columns, bf16_t* out, std::int64_t ldOut)
{
    constexpr std::int64_t kDeep = 2 * kPanel;
    for (std::int64_t r = 0; r < rows; r += kDeep)
        for (std::int64_t c = 0; c < columns; c += kWide) {
            const __mmask32 mask = firstOf32(columns - c);
            Words16 words[2][kPanel]; // columns c to c + 15, and those after them
            for (std::int64_t p = 0; p < kPanel; ++p) {
                const bf16_t* const at = x + (r + 2 * p) * ld + c;
                const bool one = r + 2 * p < rows, two = r + 2 * p + 1 < rows;
                __m512i low, high;
                interleave(_mm512_maskz_loadu_epi16(one ? mask : 0, one ? at : x),
                           _mm512_maskz_loadu_epi16(two ? mask : 0, two ? at + ld : x), low, high);
                words[0][p] = Words16(low), words[1][p] = Words16(high);
            }
            for (std::int64_t half = 0; half < 2 && c + half * kPanel < columns; ++half) {
                transposeSquare(words[half]);
                bf16_t* const to = out + (c + half * kPanel) * ldOut + r;
                for (std::int64_t m = 0; m < std::min(kPanel, columns - c - half * kPanel); ++m)
                    _mm512_storeu_si512(to + m * ldOut, __m512i(words[half][m]));
            }
        }
}

SB_BF16_TARGET void packPanels(const float* x, std::int64_t ld, std::int64_t rows,
                               std::int64_t columns, std::uint32_t* panels, std::int64_t first,
                               std::int64_t words)
{
    constexpr std::int64_t kDeep = 8; // words of a group of columns before the next
    for (std::int64_t begin = 0; begin < rows; begin += kDeep) {
        const std::int64_t end = std::min(begin + kDeep, rows);
        for (std::int64_t c = 0; c < columns; c += kColumns) {
            const std::int64_t width = groupWidth(c, columns);
            std::uint32_t* to = panels + c * words + (first + begin) * width;
            for (std::int64_t r = begin; r < end; ++r, to += width)
                for (std::int64_t n = 0; n < width; n += kPanel)
                    _mm512_storeu_ps(to + n, _mm512_maskz_loadu_ps(firstOf16(columns - c - n),
                                                                   x + r * ld + c + n));
        }
    }
}

SB_BF16_TARGET void packTiles(const float* x, std::int64_t ld, std::int64_t rows,
                              std::int64_t columns, std::uint32_t* tiles, std::int64_t first,
                              std::int64_t words)
{
    constexpr std::int64_t kDeep = 8, kAhead = 8;
    static_assert(kRows == 6);
    for (std::int64_t begin = 0; begin < rows; begin += kDeep) {
        const std::int64_t end = std::min(begin + kDeep, rows);
        for (std::int64_t c = 0; c < columns; c += kRows) {
            const auto mask = __mmask8((1u << std::min(kRows, columns - c)) - 1u);
            std::uint32_t* to = tiles + c * words + (first + begin) * kRows;
            for (std::int64_t i = 0; i < kDeep * kRows; i += kPanel)
                __builtin_prefetch(to + kAhead * kRows * words + i, 1);
            for (std::int64_t r = begin; r < end; ++r, to += kRows) {
                const __m256i six = _mm256_maskz_loadu_epi32(mask, x + r * ld + c);
                _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(six));
                _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 4),
                                 _mm256_maskz_extracti32x4_epi32(0xf, six, 1));
            }
        }
    }
}

SB_BF16_TARGET void packTransposed(const bf16_t* x, std::int64_t ld, std::int64_t rows,
                                   std::int64_t columns, std::uint32_t* panel, std::int64_t width)
{
    for (std::int64_t c = 0; c < columns; c += kWide) {
        Words16 words[kPanel] = {};
        const __mmask32 mask = firstOf32(columns - c);
        for (std::int64_t r = 0; r < rows; ++r)
            words[r] = Words16(_mm512_maskz_loadu_epi16(mask, x + r * ld + c));
        transposeSquare(words);
        for (std::int64_t p = 0; p < std::min(kPanel, wordsOf<bf16_t>(columns - c)); ++p)
            _mm512_storeu_si512(panel + (c / 2 + p) * width, __m512i(words[p]));
    }
}

SB_BF16_TARGET void packTransposed(const float* x, std::int64_t ld, std::int64_t rows,
                                   std::int64_t columns, std::uint32_t* panel, std::int64_t width)
{
    for (std::int64_t c = 0; c < columns; c += kPanel) {
        Words16 words[kPanel] = {};
        const __mmask16 mask = firstOf16(columns - c);
        for (std::int64_t r = 0; r < rows; ++r) {
            __builtin_prefetch(x + r * ld + c + 2 * kPanel);
            words[r] = Words16(_mm512_maskz_loadu_epi32(mask, x + r * ld + c));
        }
        transposeSquare(words);
        for (std::int64_t k = 0; k < std::min(kPanel, columns - c); ++k)
            _mm512_storeu_si512(panel + (c + k) * width, __m512i(words[k]));
    }
}

SB_BF16_TARGET void packWeight(const float* x, std::int64_t rows, std::int64_t columns,
                               std::int64_t first, std::uint32_t* transposed, std::uint32_t* plain)
{
    const std::int64_t here = std::min(kPanel, rows - first);
    const std::int64_t pairs = wordsOf<bf16_t>(columns), down = wordsOf<bf16_t>(rows);
    const std::int64_t widthDown = groupWidth(first, rows);
    std::uint32_t* const panel =
        transposed + first / kColumns * kColumns * pairs + first % kColumns;
    for (std::int64_t c = 0; c < columns; c += kWide) {
        const std::int64_t width = groupWidth(c, columns);
        Words16 words[kPanel] = {};
        const __mmask16 low = firstOf16(columns - c), high = firstOf16(columns - c - kPanel);
        for (std::int64_t r = 0; r < here; ++r) {
            const float* const at = x + (first + r) * columns + c;
            __builtin_prefetch(at + 4 * kPanel);
            __builtin_prefetch(at + 5 * kPanel);
            words[r] = Words16(_mm512_cvtne2ps_pbh(high ? _mm512_maskz_loadu_ps(high, at + kPanel)
                                                        : _mm512_setzero_ps(),
                                                   _mm512_maskz_loadu_ps(low, at)));
        }
        for (std::int64_t r = 0; plain && r < here; r += 2) {
            __m512i one, two;
            interleave(__m512i(words[r]), __m512i(words[r + 1]), one, two);
            std::uint32_t* const to =
                plain + c / kColumns * kColumns * down + c % kColumns + (first + r) / 2 * width;
            _mm512_storeu_si512(to, one);
            if (high)
                _mm512_storeu_si512(to + kPanel, two);
        }
        if (!transposed)
            continue;
        transposeSquare(words);
        for (std::int64_t p = 0; p < std::min(kPanel, pairs - c / 2); ++p)
            _mm512_storeu_si512(panel + (c / 2 + p) * widthDown, __m512i(words[p]));
    }
}

#else

namespace {
[[noreturn]] void refusePacking()
{
    throw Unsupported("product of panels: this processor has no instructions for it");
}
} // namespace

void packPanels(const bf16_t*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*,
                std::int64_t, std::int64_t)
{
    refusePacking();
}

void packTiles(const bf16_t*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*,
               std::int64_t, std::int64_t)
{
    refusePacking();
}

void packRows(const bf16_t*, std::int64_t, std::int64_t, std::int64_t, bf16_t*, std::int64_t)
{
    refusePacking();
}

void packTransposed(const bf16_t*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*,
                    std::int64_t)
{
    refusePacking();
}

void packPanels(const float*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*,
                std::int64_t, std::int64_t)
{
    refusePacking();
}

void packTiles(const float*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*, std::int64_t,
               std::int64_t)
{
    refusePacking();
}

void packTransposed(const float*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*,
                    std::int64_t)
{
    refusePacking();
}

void packWeight(const float*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*,
                std::uint32_t*)
{
    refusePacking();
}

#endif

} // namespace scalebench::kernels::cpu::panels
