// SPDX-License-Identifier: GPL-3.0-or-later
// What products of panels multiply: the order of their operands.
#include <algorithm>
#include <cstdint>

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

namespace {

/// Of a weight that goes past the caches: 3 MB with both its forms. Timed on Zen 4 only.
constexpr std::int64_t kFewestStreamed = std::int64_t{1} << 18;

/// Whole lines that go to the memory at once: a line that is only written need not be read first,
/// and what backward reads much later takes no room in the caches.
struct PastCaches {
    SB_BF16_TARGET static void store(std::uint32_t* to, __m512i line)
    {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), line);
    }
};
struct IntoCaches {
    SB_BF16_TARGET static void store(std::uint32_t* to, __m512i line)
    {
        _mm512_storeu_si512(to, line);
    }
};

/// A group of rows of a weight, in bf16, and where it goes.
class WeightGroup
{
public:
    static constexpr std::int64_t kPart = 1024; ///< columns that are rounded at once

    WeightGroup(const float* x, std::int64_t rows, std::int64_t columns, std::int64_t first)
        : x_(x + first * columns),
          rows_(rows),
          columns_(columns),
          first_(first),
          here_(std::min(kColumns, rows - first))
    {
    }

    /// Row by row, which is how the memory is read fastest.
    SB_BF16_TARGET void round(std::int64_t begin)
    {
        begin_ = begin, part_ = std::min(kPart, columns_ - begin);
        for (std::int64_t r = 0; r < here_; ++r) {
            const float* const from = x_ + r * columns_ + begin;
            for (std::int64_t c = 0; c < part_; c += kWide) {
                const __mmask16 low = firstOf16(part_ - c), high = firstOf16(part_ - c - kPanel);
                const __m512 second =
                    high ? _mm512_maskz_loadu_ps(high, from + c + kPanel) : _mm512_setzero_ps();
                _mm512_store_si512(
                    rounded_[r] + c,
                    __m512i(_mm512_cvtne2ps_pbh(second, _mm512_maskz_loadu_ps(low, from + c))));
            }
        }
    }

    template <class To>
    SB_BF16_TARGET void storePlain(std::uint32_t* plain) const
    {
        const std::int64_t down = wordsOf<bf16_t>(rows_);
        for (std::int64_t c = 0; c < part_; c += kColumns) {
            const std::int64_t width = groupWidth(begin_ + c, columns_);
            std::uint32_t* to = plain + (begin_ + c) * down + first_ / 2 * width;
            for (std::int64_t r = 0; r < here_; r += 2, to += width)
                for (std::int64_t n = 0; n < width; n += kWide) {
                    __m512i one, two;
                    interleave(numbers(r, c + n), numbers(r + 1, c + n), one, two);
                    To::store(to + n, one);
                    if (n + kPanel < width)
                        To::store(to + n + kPanel, two);
                }
        }
    }

    template <class To>
    SB_BF16_TARGET void storeTransposed(std::uint32_t* transposed) const
    {
        const std::int64_t across = wordsOf<bf16_t>(columns_), width = groupWidth(first_, rows_);
        for (std::int64_t c = 0; c < part_; c += kWide) {
            const std::int64_t word = (begin_ + c) / 2;
            std::uint32_t* const to = transposed + first_ * across + word * width;
            for (std::int64_t r = 0; r < here_; r += kPanel) {
                Words16 words[kPanel];
                for (std::int64_t i = 0; i < kPanel; ++i)
                    words[i] = Words16(numbers(r + i, c));
                transposeSquare(words);
                for (std::int64_t p = 0; p < std::min(kPanel, across - word); ++p)
                    To::store(to + p * width + r, __m512i(words[p]));
            }
        }
    }

private:
    SB_BF16_TARGET __m512i numbers(std::int64_t row, std::int64_t column) const
    {
        return row < here_ ? _mm512_load_si512(rounded_[row] + column) : _mm512_setzero_si512();
    }

    const float* x_;
    std::int64_t rows_, columns_, first_, here_, begin_ = 0, part_ = 0;
    /// The rows do not begin in the same set of a cache.
    alignas(64) bf16_t rounded_[kColumns][kPart + kWide];
};

template <class To>
SB_BF16_TARGET void packGroup(WeightGroup& group, std::int64_t columns, std::uint32_t* transposed,
                              std::uint32_t* plain)
{
    for (std::int64_t c = 0; c < columns; c += WeightGroup::kPart) {
        group.round(c);
        if (plain)
            group.storePlain<To>(plain);
        if (transposed)
            group.storeTransposed<To>(transposed);
    }
}

bool beginsLine(const std::uint32_t* at)
{
    return reinterpret_cast<std::uintptr_t>(at) % 64 == 0;
}

} // namespace

SB_BF16_TARGET void packWeight(const float* x, std::int64_t rows, std::int64_t columns,
                               std::int64_t first, std::uint32_t* transposed, std::uint32_t* plain)
{
    WeightGroup group(x, rows, columns, first);
    if (rows * columns < kFewestStreamed || !beginsLine(transposed) || !beginsLine(plain))
        return packGroup<IntoCaches>(group, columns, transposed, plain);
    packGroup<PastCaches>(group, columns, transposed, plain);
    _mm_sfence();
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
