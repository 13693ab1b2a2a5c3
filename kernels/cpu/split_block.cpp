// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loops of split products. Small products come first: what is added to a large sum
// loses more.
#include "kernels/cpu/split_block.h"

#include <iterator>

#include "kernels/check.h"
#include "kernels/cpu/amx_pace.h"
#include "kernels/cpu/tile_gemm.h"

namespace scalebench::kernels::cpu::split {

#ifdef SB_SPLIT

namespace {

constexpr int kHigh = 0, kMiddle = 1, kLow = 2;
constexpr std::int64_t kRowBytes = 64; ///< of a tile

struct PartPair {
    int a, b;
};
constexpr PartPair kOrder[] = {{kHigh, kLow},    {kHigh, kMiddle}, {kMiddle, kMiddle},
                               {kMiddle, kHigh}, {kLow, kHigh},    {kHigh, kHigh}};

/// 16 columns of a row from `n` on.
SB_BF16_STEP inline void finishHalf(const Sums& s, std::int64_t m, std::int64_t n)
{
    const __mmask16 mask = firstOf16(s.columns - n);
    const FloatFinish& finish = s.C.finish;
    float* const c = s.C.at + m * s.C.ldc + n;
    __builtin_prefetch(c + 2 * kEdge, 1); // the block after the one that tiles multiply
    __m512 x = _mm512_load_ps(s.at + m * kEdge + n);
    if (s.C.accumulate)
        x = _mm512_add_ps(_mm512_maskz_loadu_ps(mask, c), x);
    if (finish.bias)
        x = _mm512_add_ps(x, _mm512_maskz_loadu_ps(mask, finish.bias + n));
    if (finish.relu) // what is no number stays none
        x = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_NLT_UQ), x);
    _mm512_mask_storeu_ps(c, mask, x);
}

SB_BF16_STEP inline void finishSome(const Sums& s, std::int64_t begin, std::int64_t end)
{
    for (std::int64_t m = begin; m < end; ++m) {
        finishHalf(s, m, 0);
        finishHalf(s, m, kEdge / 2);
    }
}

SB_AMX_TARGET inline void loadRows(const bf16_t* A, int part)
{
    SB_TILE_LOAD(4, A + tileAt(part, 0), kRowBytes);
    SB_TILE_LOAD(5, A + tileAt(part, 1), kRowBytes);
}
SB_AMX_TARGET inline void loadColumns(const bf16_t* B, int part)
{
    SB_TILE_LOAD(6, B + tileAt(part, 0), kRowBytes);
    SB_TILE_LOAD(7, B + tileAt(part, 1), kRowBytes);
}
SB_AMX_TARGET inline void addProducts()
{
    SB_TILE_PRODUCT(0, 4, 6);
    SB_TILE_PRODUCT(1, 4, 7);
    SB_TILE_PRODUCT(2, 5, 6);
    SB_TILE_PRODUCT(3, 5, 7);
}

/// Two of eight registers hold tiles of A, two of B: in this order the fewest are loaded again.
SB_AMX_TARGET void sumInTiles(std::int64_t steps, const bf16_t* A, const bf16_t* B, float* sums,
                              const Beside& beside)
{
    constexpr std::int64_t rowBytes = kEdge * 4;
    // A little with each part of a step, so that all of it hides behind tiles.
    const std::int64_t parts = std::int64_t(std::size(kOrder)) * steps;
    const std::int64_t rows = (beside.before.rows + parts - 1) / parts,
                       pieces = (beside.pieces + parts - 1) / parts;
    const Sums before = beside.before; // not read again with each store
    std::int64_t row = 0, piece = 0;
    const auto multiply = [&]() SB_AMX_TARGET {
        addProducts();
        if (row < before.rows) {
            const std::int64_t end = std::min(row + rows, before.rows);
            finishSome(before, row, end);
            row = end;
        }
        if (piece < beside.pieces) {
            const std::int64_t count = std::min(pieces, beside.pieces - piece);
            makePieces(*beside.next, count);
            piece += count;
        }
    };
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (std::int64_t i = 0; i < steps; ++i, A += kTiles * kTile, B += kTiles * kTile) {
        loadRows(A, kHigh);
        loadColumns(B, kLow);
        multiply();
        loadColumns(B, kMiddle);
        multiply();
        loadRows(A, kMiddle);
        multiply();
        loadColumns(B, kHigh);
        multiply();
        loadRows(A, kLow);
        multiply();
        loadRows(A, kHigh);
        multiply();
    }
    _tile_stored(0, sums, rowBytes);
    _tile_stored(1, sums + kEdge / 2, rowBytes);
    _tile_stored(2, sums + kEdge / 2 * kEdge, rowBytes);
    _tile_stored(3, sums + kEdge / 2 * kEdge + kEdge / 2, rowBytes);
}

/// Eight rows of one half of A by one half of the columns of B.
SB_BF16_TARGET inline void addEight(__m512 (&sums)[8], const bf16_t* A, const bf16_t* B)
{
    for (std::int64_t pair = 0; pair < kStep / 2; ++pair) {
        const auto b = __m512bh(_mm512_load_si512(B + pair * 32));
#pragma GCC unroll 8
        for (int m = 0; m < 8; ++m) {
            int a;
            __builtin_memcpy(&a, A + m * kStep + pair * 2, sizeof a);
            sums[m] = _mm512_dpbf16_ps(sums[m], __m512bh(_mm512_set1_epi32(a)), b);
        }
    }
}

} // namespace

SB_BF16_TARGET void sumBlockInPairs(std::int64_t steps, const bf16_t* A, const bf16_t* B,
                                    float* sums)
{
    for (int half = 0; half < 2; ++half)
        for (std::int64_t m = 0; m < kEdge; m += 8) {
            const std::int64_t row = m % 16 * kStep;
            __m512 c[8] = {};
            for (std::int64_t i = 0; i < steps; ++i)
                for (const auto [a, b] : kOrder)
                    addEight(c, A + i * kTiles * kTile + tileAt(a, m / 16) + row,
                             B + i * kTiles * kTile + tileAt(b, half));
            for (int j = 0; j < 8; ++j)
                _mm512_store_ps(sums + (m + j) * kEdge + half * 16, c[j]);
        }
}

SB_BF16_TARGET void finishRows(const Sums& sums, std::int64_t begin, std::int64_t end)
{
    finishSome(sums, begin, std::min(end, sums.rows));
}

void sumBlock(std::int64_t steps, const bf16_t* A, const bf16_t* B, float* sums,
              const Beside& beside)
{
    if (tile::amxAvailable())
        return sumInTiles(steps, A, B, sums, beside);
    finishRows(beside.before, 0, beside.before.rows);
    if (beside.next)
        makePieces(*beside.next, beside.pieces);
    sumBlockInPairs(steps, A, B, sums);
}

#else

void sumBlockInPairs(std::int64_t, const bf16_t*, const bf16_t*, float*)
{
    throw Unsupported("split product: this processor has no instructions for bf16");
}
void finishRows(const Sums&, std::int64_t, std::int64_t)
{
    throw Unsupported("split product: this processor has no instructions for bf16");
}
void sumBlock(std::int64_t steps, const bf16_t* A, const bf16_t* B, float* sums, const Beside&)
{
    sumBlockInPairs(steps, A, B, sums);
}

#endif

} // namespace scalebench::kernels::cpu::split
