// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/attention_tile.h"

#include <algorithm>
#include <limits>

#include "kernels/cpu/row_max.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/math.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

template <class T>
SB_HOST_DEVICE void dots(const T* a, std::int64_t lda, const T* b, std::int64_t ldb,
                         std::int64_t rows, std::int64_t columns, float* out)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        float sum = 0.0f;
        for (std::int64_t c = 0; c < columns; ++c)
            sum += load(a + r * lda + c) * load(b + r * ldb + c);
        out[r] = sum;
    }
}
SB_TARGET_CLONES void dotsF32(const float* a, std::int64_t lda, const float* b, std::int64_t ldb,
                              std::int64_t rows, std::int64_t columns, float* out)
{
    dots(a, lda, b, ldb, rows, columns, out);
}
SB_TARGET_CLONES void dotsBf16(const bf16_t* a, std::int64_t lda, const bf16_t* b, std::int64_t ldb,
                               std::int64_t rows, std::int64_t columns, float* out)
{
    dots(a, lda, b, ldb, rows, columns, out);
}

template <class T>
SB_HOST_DEVICE void storeLoop(const float* x, std::int64_t ldx, const float* factors,
                              std::int64_t rows, std::int64_t columns, T* out, std::int64_t ldOut)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float factor = factors ? factors[r] : 1.0f;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c)
            store(out + r * ldOut + c, x[r * ldx + c] * factor);
    }
}
SB_TARGET_CLONES void storeF32(const float* x, std::int64_t ldx, const float* factors,
                               std::int64_t rows, std::int64_t columns, float* out,
                               std::int64_t ldOut)
{
    storeLoop(x, ldx, factors, rows, columns, out, ldOut);
}
SB_TARGET_CLONES void storeBf16(const float* x, std::int64_t ldx, const float* factors,
                                std::int64_t rows, std::int64_t columns, bf16_t* out,
                                std::int64_t ldOut)
{
    storeLoop(x, ldx, factors, rows, columns, out, ldOut);
}

} // namespace

SB_TARGET_CLONES void softmaxStep(float* S, std::int64_t queries, std::int64_t keys, float scale,
                                  bool causal, std::int64_t offset, float* top, float* sum,
                                  float* rescale)
{
    for (std::int64_t i = 0; i < queries; ++i) {
        float* s = S + i * kTile;
        const std::int64_t seen = causal ? std::clamp<std::int64_t>(i + offset + 1, 0, keys) : keys;
        if (seen == 0) { // nothing new, perhaps nothing ever
            std::fill(s, s + kTile, 0.0f);
            rescale[i] = 1.0f;
            continue;
        }
        // The whole row from here on: what is hidden becomes exp(-infinity) = 0.
        std::fill(s + seen, s + kTile, -std::numeric_limits<float>::infinity());
        const float old = top[i], highest = std::max(old, scale * rowMax(s, kTile));
        for (std::int64_t k = 0; k < kTile; ++k)
            s[k] = formula::exp(scale * s[k] - highest);
        float total = 0.0f;
        for (std::int64_t k = 0; k < kTile; ++k)
            total += s[k];
        rescale[i] = formula::exp(old - highest); // 0 at first: top is -infinity
        sum[i] = sum[i] * rescale[i] + total;
        top[i] = highest;
    }
}

SB_TARGET_CLONES void scaleRows(float* O, std::int64_t rows, std::int64_t columns,
                                const float* factors)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float factor = factors[r];
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c)
            O[r * columns + c] *= factor;
    }
}

SB_TARGET_CLONES void multiplyTile(float* S, const float* factors, std::int64_t rows)
{
#pragma GCC ivdep
    for (std::int64_t i = 0; i < rows * kTile; ++i)
        S[i] *= factors[i];
}

SB_TARGET_CLONES void gradientStep(float* S, float* dP, const float* drop, std::int64_t queries,
                                   std::int64_t keys, std::int64_t paddedKeys, float scale,
                                   bool causal, std::int64_t offset, const float* logSumExp,
                                   const float* D)
{
    // Whole rows: exp(x - infinity) = 0 for what is no query.
    float minus[kTile], dot[kTile];
    for (std::int64_t i = 0; i < kTile; ++i) {
        minus[i] = i < queries ? logSumExp[i] : std::numeric_limits<float>::infinity();
        dot[i] = i < queries ? D[i] : 0.0f;
    }
    for (std::int64_t k = 0; k < paddedKeys; ++k) {
        float* __restrict s = S + k * kTile, * __restrict d = dP + k * kTile;
        const std::int64_t hidden = k >= keys ? kTile
                                    : causal  ? std::clamp<std::int64_t>(k - offset, 0, kTile)
                                              : 0;
        for (std::int64_t i = 0; i < kTile; ++i)
            s[i] = formula::exp(scale * s[i] - minus[i]);
        std::fill(s, s + hidden, 0.0f);
        if (drop) {
            for (std::int64_t i = 0; i < kTile; ++i) {
                const float p = s[i], z = i < queries ? drop[i * kTile + k] : 0.0f;
                s[i] = p * z;
                d[i] = p * (d[i] * z - dot[i]) * scale;
            }
        } else {
            for (std::int64_t i = 0; i < kTile; ++i)
                d[i] = s[i] * (d[i] - dot[i]) * scale;
        }
        std::fill(d, d + hidden, 0.0f);
    }
}

void rowDots(const float* a, std::int64_t lda, const float* b, std::int64_t ldb, std::int64_t rows,
             std::int64_t columns, float* out)
{
    dotsF32(a, lda, b, ldb, rows, columns, out);
}
void rowDots(const bf16_t* a, std::int64_t lda, const bf16_t* b, std::int64_t ldb,
             std::int64_t rows, std::int64_t columns, float* out)
{
    dotsBf16(a, lda, b, ldb, rows, columns, out);
}
void storeRows(const float* x, std::int64_t ldx, const float* factors, std::int64_t rows,
               std::int64_t columns, float* out, std::int64_t ldOut)
{
    storeF32(x, ldx, factors, rows, columns, out, ldOut);
}
void storeRows(const float* x, std::int64_t ldx, const float* factors, std::int64_t rows,
               std::int64_t columns, bf16_t* out, std::int64_t ldOut)
{
    storeBf16(x, ldx, factors, rows, columns, out, ldOut);
}

} // namespace scalebench::kernels::cpu
