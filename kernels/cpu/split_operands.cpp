// SPDX-License-Identifier: GPL-3.0-or-later
// The three parts of fp32 operands, in tiles.
#include <algorithm>

#include "kernels/check.h"
#include "kernels/cpu/split_block.h"
#include "kernels/cpu/square_transpose.h"

namespace scalebench::kernels::cpu::split {

#ifdef SB_SPLIT

namespace {

constexpr std::int64_t kHalf = 16; ///< rows or columns of a tile, floats of a vector

// g++ 12 warns of some of its own intrinsic functions (its bug 105593), which these stand for.
using Words16 [[gnu::vector_size(64)]] = std::uint32_t;
using Halves16 [[gnu::vector_size(32)]] = std::uint16_t;

/// x rounded to bf16, as the fp32 numbers that these are.
SB_BF16_TARGET inline __m512 rounded(__m512 x)
{
    return __m512(__builtin_convertvector(Halves16(_mm512_cvtneps_pbh(x)), Words16) << 16);
}

struct Parts {
    __m512 at[kParts];
};

SB_BF16_TARGET inline Parts partsOf(__m512 x)
{
    Parts p;
    p.at[0] = rounded(x);
    const __m512 rest = _mm512_sub_ps(x, p.at[0]);
    p.at[1] = rounded(rest);
    p.at[2] = _mm512_sub_ps(rest, p.at[1]); // 8 bits are left
    return p;
}

/// Two bf16 numbers, given as fp32, to each word.
SB_BF16_TARGET inline __m512i pairsOf(__m512 first, __m512 second)
{
    return __m512i(Words16(first) >> 16 | (Words16(second) & 0xffff0000u));
}

/// 32 numbers of a row of A to a row of a tile of each part.
SB_BF16_TARGET inline void splitRow(const float* at, std::int64_t count, bf16_t* out)
{
    const Parts low = partsOf(_mm512_maskz_loadu_ps(firstOf16(count), at));
    const Parts high = partsOf(_mm512_maskz_loadu_ps(firstOf16(count - kHalf), at + kHalf));
#pragma GCC unroll 3
    for (int part = 0; part < kParts; ++part)
        _mm512_store_si512(out + tileAt(part, 0),
                           __m512i(_mm512_cvtne2ps_pbh(high.at[part], low.at[part])));
}

/// 16 numbers of each of two steps to a row of pairs of each part.
SB_BF16_TARGET inline void splitPairs(__m512 first, __m512 second, __m512i (&pairs)[kParts])
{
    const Parts a = partsOf(first), b = partsOf(second);
#pragma GCC unroll 3
    for (int part = 0; part < kParts; ++part)
        pairs[part] = pairsOf(a.at[part], b.at[part]);
}

/// 16 rows of A, of which steps and not rows are stored side by side.
SB_BF16_TARGET void splitTurned(FloatMatrix A, std::int64_t rows, std::int64_t depth, bf16_t* out)
{
    const __mmask16 mask = firstOf16(rows);
    const auto load = [&](std::int64_t k) SB_BF16_TARGET {
        return k < depth ? _mm512_maskz_loadu_ps(mask, A.at + k * A.columnStride)
                         : _mm512_setzero_ps();
    };
    alignas(64) Words16 words[kParts][kHalf];
    for (std::int64_t pair = 0; pair < kStep / 2; ++pair) {
        __m512i pairs[kParts];
        splitPairs(load(2 * pair), load(2 * pair + 1), pairs);
        for (int part = 0; part < kParts; ++part)
            words[part][pair] = Words16(pairs[part]);
    }
    for (int part = 0; part < kParts; ++part) {
        transposeSquare(words[part]);
        for (std::int64_t m = 0; m < kHalf; ++m)
            _mm512_store_si512(out + tileAt(part, 0) + m * kStep, __m512i(words[part][m]));
    }
}

} // namespace

SB_BF16_TARGET void splitRows(FloatMatrix A, std::int64_t rows, std::int64_t depth, bf16_t* out)
{
    for (std::int64_t k = 0; k < depth; k += kStep, out += kTiles * kTile)
        for (std::int64_t half = 0; half < 2; ++half) {
            bf16_t* const tile = out + half * kTile;
            const float* const at = A.at + half * kHalf * A.rowStride + k * A.columnStride;
            if (A.columnStride != 1) {
                splitTurned({at, A.rowStride, A.columnStride}, rows - half * kHalf, depth - k,
                            tile);
                continue;
            }
            for (std::int64_t m = 0; m < kHalf; ++m)
                splitRow(at + m * A.rowStride, half * kHalf + m < rows ? depth - k : 0,
                         tile + m * kStep);
        }
}

SB_BF16_TARGET void splitPanel(const float* panel, std::int64_t depth, bf16_t* out)
{
    const auto load = [&](std::int64_t k, std::int64_t column) SB_BF16_TARGET {
        return k < depth ? _mm512_loadu_ps(panel + k * kEdge + column) : _mm512_setzero_ps();
    };
    for (std::int64_t k = 0; k < depth; k += kStep, out += kTiles * kTile)
        for (std::int64_t pair = 0; pair < kStep / 2; ++pair)
            for (std::int64_t half = 0; half < 2; ++half) {
                __m512i pairs[kParts];
                splitPairs(load(k + 2 * pair, half * kHalf), load(k + 2 * pair + 1, half * kHalf),
                           pairs);
                for (int part = 0; part < kParts; ++part)
                    _mm512_store_si512(out + tileAt(part, half) + pair * 2 * kHalf, pairs[part]);
            }
}

#else

void splitRows(FloatMatrix, std::int64_t, std::int64_t, bf16_t*)
{
    throw Unsupported("split product: this processor has no instructions for bf16");
}
void splitPanel(const float*, std::int64_t, bf16_t*)
{
    throw Unsupported("split product: this processor has no instructions for bf16");
}

#endif

} // namespace scalebench::kernels::cpu::split
