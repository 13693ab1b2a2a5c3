// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/attention_tile.h"

#include <algorithm>
#include <limits>

#include "kernels/cpu/row_max.h"
#include "kernels/cpu_level.h"
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

template <float (*Exp)(float)>
SB_HOST_DEVICE void softmaxRows(float* S, std::int64_t queries, std::int64_t keys, float scale,
                                bool causal, std::int64_t offset, float* top, float* sum,
                                float* rescale)
{
    // All rows' maxima, then all their factors, then the exponentials: one exponential at a time
    // would wait for each row's maximum. Whole rows: what is hidden becomes exp(-infinity) = 0.
    float change[kTile];
    for (std::int64_t i = 0; i < queries; ++i) {
        float* s = S + i * kTile;
        const std::int64_t seen = causal ? std::clamp<std::int64_t>(i + offset + 1, 0, keys) : keys;
        std::fill(s + seen, s + kTile, -std::numeric_limits<float>::infinity());
        const float old = top[i];
        top[i] = seen == 0 ? old : std::max(old, scale * rowMax(s, kTile));
        // Nothing seen, perhaps never: infinity less infinity would be no number.
        change[i] = seen == 0 ? 0.0f : old - top[i];
    }
    for (std::int64_t i = 0; i < queries; ++i)
        rescale[i] = Exp(change[i]); // 0 at first: top is -infinity
    for (std::int64_t i = 0; i < queries; ++i) {
        float* s = S + i * kTile;
        const float highest = std::max(top[i], std::numeric_limits<float>::lowest());
        for (std::int64_t k = 0; k < kTile; ++k)
            s[k] = Exp(scale * s[k] - highest);
        float total = 0.0f;
        for (std::int64_t k = 0; k < kTile; ++k)
            total += s[k];
        sum[i] = sum[i] * rescale[i] + total;
    }
}

template <float (*Exp)(float)>
SB_HOST_DEVICE void gradientRows(float* S, float* dP, const float* drop, std::int64_t queries,
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
            s[i] = Exp(scale * s[i] - minus[i]);
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

/// The two steps with exponentials, for each instruction set: which exponential is fast depends on
/// it, and one function with clones has only one.
struct LevelSteps {
    void (*softmax)(float* S, std::int64_t queries, std::int64_t keys, float scale, bool causal,
                    std::int64_t offset, float* top, float* sum, float* rescale);
    void (*gradient)(float* S, float* dP, const float* drop, std::int64_t queries,
                     std::int64_t keys, std::int64_t paddedKeys, float scale, bool causal,
                     std::int64_t offset, const float* logSumExp, const float* D);
};

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute takes none.
#define SB_LEVEL_STEPS(name, target, exponential)                                                  \
    target void softmax##name(float* S, std::int64_t queries, std::int64_t keys, float scale,      \
                              bool causal, std::int64_t offset, float* top, float* sum,            \
                              float* rescale)                                                      \
    {                                                                                              \
        softmaxRows<exponential>(S, queries, keys, scale, causal, offset, top, sum, rescale);      \
    }                                                                                              \
    target void gradient##name(float* S, float* dP, const float* drop, std::int64_t queries,       \
                               std::int64_t keys, std::int64_t paddedKeys, float scale,            \
                               bool causal, std::int64_t offset, const float* logSumExp,           \
                               const float* D)                                                     \
    {                                                                                              \
        gradientRows<exponential>(S, dP, drop, queries, keys, paddedKeys, scale, causal, offset,   \
                                  logSumExp, D);                                                   \
    }
// NOLINTEND(bugprone-macro-parentheses)

#if defined(__x86_64__)
SB_LEVEL_STEPS(Plain, , formula::expUnfused)
SB_LEVEL_STEPS(Avx2, [[gnu::target("arch=x86-64-v3")]], formula::exp)
SB_LEVEL_STEPS(Avx512, [[gnu::target("arch=x86-64-v4")]], formula::exp)
#else
SB_LEVEL_STEPS(Plain, , formula::exp)
#endif
#undef SB_LEVEL_STEPS

const LevelSteps& levelSteps()
{
    static constexpr LevelSteps kByLevel[] = {
        {softmaxPlain, gradientPlain},
#if defined(__x86_64__)
        {softmaxAvx2, gradientAvx2},
        {softmaxAvx512, gradientAvx512},
#endif
    };
    static const LevelSteps& chosen = kByLevel[int(cpuLevel())];
    return chosen;
}

} // namespace

void softmaxStep(float* S, std::int64_t queries, std::int64_t keys, float scale, bool causal,
                 std::int64_t offset, float* top, float* sum, float* rescale)
{
    levelSteps().softmax(S, queries, keys, scale, causal, offset, top, sum, rescale);
}

void gradientStep(float* S, float* dP, const float* drop, std::int64_t queries, std::int64_t keys,
                  std::int64_t paddedKeys, float scale, bool causal, std::int64_t offset,
                  const float* logSumExp, const float* D)
{
    levelSteps().gradient(S, dP, drop, queries, keys, paddedKeys, scale, causal, offset, logSumExp,
                          D);
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
