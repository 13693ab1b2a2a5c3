// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of batch norm in bf16 with AVX512_BF16. Rows are taken several at a time: loading what
// belongs to the channels for each of them took longer than the rows.
#include <algorithm>
#include <type_traits>

#include "kernels/cpu/batch_norm_loops.h"
#include "kernels/cpu/bf16_lanes.h"

namespace scalebench::kernels::cpu::norm {

#ifdef SB_AVX512_BF16

namespace {

// At a time. With four wide ones, from five arrays, more lines met in a set of the first-level
// cache than it holds.
constexpr int kNarrowRows = 32, kRows = 2;

/// body(how many rows, where the first begins, how far apart they begin) for all. Wide rows come
/// from as many parts of the chunk, each of which is read in order: the lines of rows that lie in
/// one page, in turn, are foreseen by no prefetcher.
template <class Body>
SB_BF16_INLINE void everyRow(std::int64_t rows, std::int64_t width, Body&& body)
{
    std::int64_t done = 0;
    if (width <= kNarrow)
        for (; done + kNarrowRows <= rows; done += kNarrowRows)
            body(std::integral_constant<int, kNarrowRows>{}, done * width, width);
    const std::int64_t each = (rows - done) / kRows;
    for (std::int64_t i = 0; i < each; ++i)
        body(std::integral_constant<int, kRows>{}, (done + i) * width, each * width);
    for (done += each * kRows; done < rows; ++done)
        body(std::integral_constant<int, 1>{}, done * width, 0);
}

SB_BF16_TARGET void sumChunk(const bf16_t* x, std::int64_t rows, std::int64_t width, float* sums,
                             float* squares)
{
    std::fill_n(sums, width, 0.0f);
    std::fill_n(squares, width, 0.0f);
    everyRow(rows, width, [&](auto R, std::int64_t at, std::int64_t step) SB_BF16_STEP {
        everyColumn(width, [&](std::int64_t c, auto there) SB_BF16_STEP {
            const Lanes32 k = load(x + c, there);
            Lanes32 s = load(sums + c, there), q = load(squares + c, there);
            for (int r = 0; r < R; ++r) {
                const Lanes32 d = load(x + at + r * step + c, there) - k;
                s = s + d;
                q = fma(d, d, q);
            }
            store(sums + c, s, there);
            store(squares + c, q, there);
        });
    });
}

template <bool kResidual, bool kRelu>
SB_BF16_TARGET void applyLoop(const bf16_t* x, const bf16_t* z, Affine f, bf16_t* y,
                              std::int64_t rows, std::int64_t width)
{
    everyRow(rows, width, [&](auto R, std::int64_t at, std::int64_t step) SB_BF16_STEP {
        everyColumn(width, [&](std::int64_t c, auto there) SB_BF16_STEP {
            const Lanes32 scale = load(f.scale + c, there), shift = load(f.shift + c, there);
            for (int r = 0; r < R; ++r) {
                const std::int64_t i = at + r * step + c;
                Lanes32 v = fma(load(x + i, there), scale, shift);
                if (kResidual)
                    v = v + load(z + i, there);
                if (kRelu)
                    v = relu(v);
                store(y + i, v, there);
            }
        });
    });
}

void applyChunk(const bf16_t* x, const bf16_t* z, Affine f, bf16_t* y, std::int64_t rows,
                std::int64_t width, bool relu)
{
    if (z && relu)
        applyLoop<true, true>(x, z, f, y, rows, width);
    else if (z)
        applyLoop<true, false>(x, z, f, y, rows, width);
    else if (relu)
        applyLoop<false, true>(x, z, f, y, rows, width);
    else
        applyLoop<false, false>(x, z, f, y, rows, width);
}

/// What comes to number i of the chunk: gradients as far as the ReLU let them through.
template <Mask kMask, bool kMore, bool kAll>
SB_BF16_INLINE Lanes32 gradient(const Chunk<bf16_t>& k, std::int64_t i, Lanes32 x, Lanes32 scale,
                                Lanes32 shift, Columns<kAll> there)
{
    Lanes32 g = load(k.dy + i, there);
    if (kMore)
        g = g + load(k.dyMore + i, there);
    if (kMask == kFromInput)
        g = where(positive(fma(x, scale, shift)), g);
    if (kMask == kFromOutput)
        g = where(positive(k.y + i, there), g);
    return g;
}

template <Mask kMask, bool kMore, bool kWrite>
SB_BF16_TARGET void backwardSumLoop(const Chunk<bf16_t>& k, const float* mean, Affine f,
                                    float* sums, float* products)
{
    std::fill_n(sums, k.width, 0.0f);
    std::fill_n(products, k.width, 0.0f);
    everyRow(k.rows, k.width, [&](auto R, std::int64_t at, std::int64_t step) SB_BF16_STEP {
        everyColumn(k.width, [&](std::int64_t c, auto there) SB_BF16_STEP {
            const Lanes32 m = load(mean + c, there);
            Lanes32 scale{}, shift{};
            if (kMask == kFromInput)
                scale = load(f.scale + c, there), shift = load(f.shift + c, there);
            Lanes32 s = load(sums + c, there), q = load(products + c, there);
            for (int r = 0; r < R; ++r) {
                const std::int64_t i = at + r * step + c;
                const Lanes32 x = load(k.x + i, there);
                const Lanes32 g = gradient<kMask, kMore>(k, i, x, scale, shift, there);
                if (kWrite)
                    store(k.dz + i, g, there);
                s = s + g;
                q = fma(g, x - m, q);
            }
            store(sums + c, s, there);
            store(products + c, q, there);
        });
    });
}

template <Mask kMask, bool kMore>
SB_BF16_TARGET void backwardApplyLoop(const Chunk<bf16_t>& k, Affine f, Slopes slopes)
{
    everyRow(k.rows, k.width, [&](auto R, std::int64_t at, std::int64_t step) SB_BF16_STEP {
        everyColumn(k.width, [&](std::int64_t c, auto there) SB_BF16_STEP {
            const Lanes32 a = load(slopes.a + c, there), b = load(slopes.b + c, there),
                          d = load(slopes.c + c, there);
            Lanes32 scale{}, shift{};
            if (kMask == kFromInput)
                scale = load(f.scale + c, there), shift = load(f.shift + c, there);
            for (int r = 0; r < R; ++r) {
                const std::int64_t i = at + r * step + c;
                const Lanes32 x = load(k.x + i, there);
                const Lanes32 g = gradient<kMask, kMore>(k, i, x, scale, shift, there);
                store(k.dx + i, fma(a, g, fma(b, x, d)), there);
            }
        });
    });
}

template <Mask kMask, bool kWrite>
void backwardSumOf(const Chunk<bf16_t>& k, const float* mean, Affine f, float* sums,
                   float* products)
{
    (k.dyMore ? backwardSumLoop<kMask, true, kWrite>
              : backwardSumLoop<kMask, false, kWrite>)(k, mean, f, sums, products);
}

void backwardSumChunk(const Chunk<bf16_t>& k, Mask mask, const float* mean, Affine f, float* sums,
                      float* products)
{
    if (k.dz && mask == kFromOutput)
        backwardSumOf<kFromOutput, true>(k, mean, f, sums, products);
    else if (k.dz)
        backwardSumOf<kNone, true>(k, mean, f, sums, products);
    else if (mask == kFromInput)
        backwardSumOf<kFromInput, false>(k, mean, f, sums, products);
    else
        backwardSumOf<kNone, false>(k, mean, f, sums, products);
}

template <Mask kMask>
void backwardApplyOf(const Chunk<bf16_t>& k, Affine f, Slopes slopes)
{
    (k.dyMore ? backwardApplyLoop<kMask, true> : backwardApplyLoop<kMask, false>)(k, f, slopes);
}

void backwardApplyChunk(const Chunk<bf16_t>& k, Mask mask, Affine f, Slopes slopes)
{
    if (mask == kFromInput)
        backwardApplyOf<kFromInput>(k, f, slopes);
    else
        backwardApplyOf<kNone>(k, f, slopes);
}

} // namespace

const Loops<bf16_t>* bf16Loops()
{
    static constexpr Loops<bf16_t> loops{sumChunk, applyChunk, backwardSumChunk,
                                         backwardApplyChunk};
    return bf16LanesAvailable() ? &loops : nullptr;
}

#else

const Loops<bf16_t>* bf16Loops()
{
    return nullptr;
}

#endif

} // namespace scalebench::kernels::cpu::norm
