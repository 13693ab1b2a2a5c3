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

// g++ 12 warns of some of its own intrinsic functions (its bug 105593), which this stands for.
using Words16 [[gnu::vector_size(64)]] = std::uint32_t;
constexpr std::uint32_t kUpper = 0xffff0000u; ///< of a number's bits: those of bf16

/// x rounded to bf16, in two operations: which way a half goes is of no matter here.
SB_BF16_STEP inline __m512 rounded(__m512 x)
{
    return __m512((Words16(x) + 0x8000u) & kUpper);
}

struct Parts {
    __m512 at[kParts];
};

SB_BF16_STEP inline Parts partsOf(__m512 x)
{
    Parts p;
    p.at[0] = rounded(x);
    const __m512 rest = _mm512_sub_ps(x, p.at[0]);
    p.at[1] = rounded(rest);
    p.at[2] = _mm512_sub_ps(rest, p.at[1]); // 8 bits are left
    return p;
}

/// Steps k + i and k + 16 + i side by side in word i: to a row of each part. Any order along K will
/// do that is the same for A and B; this one takes two operations.
SB_BF16_STEP inline void storePairs(__m512 first, __m512 second, bf16_t* out)
{
    const Parts a = partsOf(first), b = partsOf(second);
#pragma GCC unroll 3
    for (int part = 0; part < kParts; ++part)
        _mm512_store_si512(out + tileAt(part, 0),
                           __m512i(Words16(a.at[part]) >> 16 | (Words16(b.at[part]) & kUpper)));
}

/// 32 numbers of a row of A to a row of a tile of each part.
SB_BF16_STEP inline void splitRow(const float* at, std::int64_t count, bf16_t* out)
{
    __builtin_prefetch(at + kStep);
    __builtin_prefetch(at + kStep + kHalf);
    storePairs(_mm512_maskz_loadu_ps(firstOf16(count), at),
               _mm512_maskz_loadu_ps(firstOf16(count - kHalf), at + kHalf), out);
}

/// 16 rows of A, of which steps and not rows are stored side by side.
SB_BF16_TARGET void splitTurned(FloatMatrix A, std::int64_t rows, std::int64_t depth, bf16_t* out)
{
    const __mmask16 mask = firstOf16(rows);
    Words16 words[2][kHalf];
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
        for (std::int64_t i = 0; i < kHalf; ++i) {
            const std::int64_t k = half * kHalf + i;
            const float* const at = A.at + k * A.columnStride;
            __builtin_prefetch(at + kStep * A.columnStride);
            words[half][i] =
                Words16(k < depth ? _mm512_maskz_loadu_ps(mask, at) : _mm512_setzero_ps());
        }
        transposeSquare(words[half]);
    }
    for (std::int64_t m = 0; m < kHalf; ++m)
        storePairs(__m512(words[0][m]), __m512(words[1][m]), out + m * kStep);
}

} // namespace

SB_BF16_TARGET void makePieces(RowBlock& block, std::int64_t count)
{
    const FloatMatrix& A = block.A;
    const std::int64_t end = std::min(block.made + count, block.pieces());
    for (; block.made < end; ++block.made) {
        if (A.columnStride != 1) { // a tile of each part
            const std::int64_t step = block.made / 2, half = block.made % 2;
            splitTurned(floats::moved(A, half * kHalf, step * kStep), block.rows - half * kHalf,
                        block.depth - step * kStep,
                        block.out + step * kTiles * kTile + half * kTile);
            continue;
        }
        const std::int64_t step = block.made / kEdge, m = block.made % kEdge;
        const std::int64_t left = block.depth - step * kStep;
        splitRow(A.at + m * A.rowStride + step * kStep, m < block.rows ? left : 0,
                 block.out + step * kTiles * kTile + m / kHalf * kTile + m % kHalf * kStep);
    }
}

SB_BF16_TARGET void splitPanel(const float* panel, std::int64_t depth, bf16_t* out)
{
    const auto load = [&](std::int64_t k, std::int64_t column) SB_BF16_TARGET {
        return k < depth ? _mm512_loadu_ps(panel + k * kEdge + column) : _mm512_setzero_ps();
    };
    for (std::int64_t k = 0; k < depth; k += kStep, out += kTiles * kTile)
        for (std::int64_t pair = 0; pair < kStep / 2; ++pair)
            for (std::int64_t half = 0; half < 2; ++half)
                storePairs(load(k + pair, half * kHalf), load(k + kHalf + pair, half * kHalf),
                           out + half * kTile + pair * kStep);
}

#else

void makePieces(RowBlock&, std::int64_t)
{
    throw Unsupported("split product: this processor has no instructions for bf16");
}
void splitPanel(const float*, std::int64_t, bf16_t*)
{
    throw Unsupported("split product: this processor has no instructions for bf16");
}

#endif

} // namespace scalebench::kernels::cpu::split
