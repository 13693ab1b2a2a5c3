// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/attention_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cpu/row_max.h"
#include "kernels/cpu_level.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/math.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;

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

SB_TARGET_CLONES void storeF32(const float* x, std::int64_t ldx, const float* factors,
                               std::int64_t rows, std::int64_t columns, float* out,
                               std::int64_t ldOut)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float factor = factors ? factors[r] : 1.0f;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c)
            out[r * ldOut + c] = x[r * ldx + c] * factor;
    }
}

SB_TARGET_CLONES void widen(const bf16_t* x, std::int64_t rows, std::int64_t width, float* out)
{
    for (std::int64_t r = 0; r < rows; ++r)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < width; ++c)
            out[r * kTile + c] = load(x + r * width + c);
}

struct SoftmaxTile {
    float* S;
    std::int64_t queries, keys;
    float scale;
    bool causal;
    std::int64_t offset;
    float *top, *sum, *rescale;
};

template <float (*Exp)(float), std::int64_t kWidth>
SB_HOST_DEVICE void softmaxRows(const SoftmaxTile& t)
{
    // All rows' maxima, then all their factors, then the exponentials: one exponential at a time
    // would wait for each row's maximum. Whole rows: what is hidden becomes exp(-infinity) = 0.
    float change[kTile];
    for (std::int64_t i = 0; i < t.queries; ++i) {
        float* s = t.S + i * kTile;
        const std::int64_t seen =
            t.causal ? std::clamp<std::int64_t>(i + t.offset + 1, 0, t.keys) : t.keys;
        for (std::int64_t k = seen; k < kWidth; ++k)
            s[k] = -std::numeric_limits<float>::infinity();
        const float old = t.top[i];
        t.top[i] = seen == 0 ? old : std::max(old, t.scale * rowMax(s, kWidth));
        // Nothing seen, perhaps never: infinity less infinity would be no number.
        change[i] = seen == 0 ? 0.0f : old - t.top[i];
    }
    for (std::int64_t i = 0; i < t.queries; ++i)
        t.rescale[i] = Exp(change[i]); // 0 at first: top is -infinity
    for (std::int64_t i = 0; i < t.queries; ++i) {
        float* s = t.S + i * kTile;
        const float highest = std::max(t.top[i], std::numeric_limits<float>::lowest());
        for (std::int64_t k = 0; k < kWidth; ++k)
            s[k] = Exp(t.scale * s[k] - highest);
        float total = 0.0f;
        for (std::int64_t k = 0; k < kWidth; ++k)
            total += s[k];
        t.sum[i] = t.sum[i] * t.rescale[i] + total;
    }
}

struct GradientArguments {
    float scale;
    bool causal;
    std::int64_t offset;
    const float *logSumExp, *D;
};

template <float (*Exp)(float), std::int64_t kWidth>
SB_HOST_DEVICE void gradientRows(const GradientTile& t, const GradientArguments& a)
{
    // Whole rows: exp(x - infinity) = 0 for what is no query.
    float minus[kWidth], dot[kWidth];
    for (std::int64_t i = 0; i < kWidth; ++i) {
        minus[i] = i < t.queries ? a.logSumExp[i] : std::numeric_limits<float>::infinity();
        dot[i] = i < t.queries ? a.D[i] : 0.0f;
    }
    const float scale = a.scale;
    for (std::int64_t k = 0; k < t.keys; ++k) {
        float* __restrict s = t.S + k * kTile, * __restrict d = t.dP + k * kTile;
        const std::int64_t hidden =
            a.causal ? std::clamp<std::int64_t>(k - a.offset, 0, kWidth) : 0;
        for (std::int64_t i = 0; i < kWidth; ++i)
            s[i] = Exp(scale * s[i] - minus[i]);
        for (std::int64_t i = 0; i < hidden; ++i)
            s[i] = 0.0f;
        if (t.drop) {
            const float* drop = t.drop + k * kWidth;
            for (std::int64_t i = 0; i < kWidth; ++i) {
                const float p = s[i];
                s[i] = p * drop[i];
                d[i] = p * (d[i] * drop[i] - dot[i]) * scale;
            }
        } else {
            for (std::int64_t i = 0; i < kWidth; ++i)
                d[i] = s[i] * (d[i] - dot[i]) * scale;
        }
        for (std::int64_t i = 0; i < hidden; ++i)
            d[i] = 0.0f;
    }
    for (std::int64_t k = t.keys; k < t.paddedKeys; ++k)
        for (std::int64_t i = 0; i < kWidth; ++i)
            t.S[k * kTile + i] = t.dP[k * kTile + i] = 0.0f;
}

struct KeptArguments {
    const float *kept, *top;
    float factor;
};

template <std::int64_t kWidth>
SB_HOST_DEVICE void keptRows(const GradientTile& t, const KeptArguments& kept,
                             const GradientArguments& a)
{
    float share[kWidth], dot[kWidth]; // a query that saw no key has neither
    for (std::int64_t i = 0; i < kWidth; ++i) {
        const bool any = i < t.queries && kept.top[i] > -std::numeric_limits<float>::infinity();
        share[i] = any ? std::exp(kept.top[i] - a.logSumExp[i]) : 0.0f;
        dot[i] = any ? a.D[i] : 0.0f;
    }
    const float scale = a.scale, factor = kept.factor;
    for (std::int64_t k = 0; k < t.keys; ++k) {
        float* __restrict s = t.S + k * kTile, * __restrict d = t.dP + k * kTile;
        const float* from = kept.kept + k * kWidth;
        const std::int64_t hidden =
            a.causal ? std::clamp<std::int64_t>(k - a.offset, 0, kWidth) : 0;
        for (std::int64_t i = 0; i < kWidth; ++i) {
            const float p = std::fabs(from[i]) * share[i];
            const float drop = from[i] < 0.0f ? 0.0f : factor;
            s[i] = p * drop;
            d[i] = p * (d[i] * drop - dot[i]) * scale;
        }
        for (std::int64_t i = 0; i < hidden; ++i)
            d[i] = 0.0f;
    }
    for (std::int64_t k = t.keys; k < t.paddedKeys; ++k)
        for (std::int64_t i = 0; i < kWidth; ++i)
            t.S[k * kTile + i] = t.dP[k * kTile + i] = 0.0f;
}

SB_TARGET_CLONES void keptStep(const GradientTile& t, const KeptArguments& kept,
                               const GradientArguments& a)
{
    switch (t.width) {
    case 16:
        return keptRows<16>(t, kept, a);
    case 32:
        return keptRows<32>(t, kept, a);
    case 48:
        return keptRows<48>(t, kept, a);
    default:
        return keptRows<kTile>(t, kept, a);
    }
}

/// The two steps with exponentials, for each instruction set: which exponential is fast depends on
/// it, and one function with clones has only one.
struct LevelSteps {
    void (*softmax)(const SoftmaxTile& t, std::int64_t width);
    void (*gradient)(const GradientTile& t, const GradientArguments& a);
};

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute takes none.
#define SB_LEVEL_STEPS(name, target, exponential)                                                  \
    target void softmax##name(const SoftmaxTile& t, std::int64_t width)                            \
    {                                                                                              \
        switch (width) {                                                                           \
        case 16:                                                                                   \
            return softmaxRows<exponential, 16>(t);                                                \
        case 32:                                                                                   \
            return softmaxRows<exponential, 32>(t);                                                \
        case 48:                                                                                   \
            return softmaxRows<exponential, 48>(t);                                                \
        default:                                                                                   \
            return softmaxRows<exponential, kTile>(t);                                             \
        }                                                                                          \
    }                                                                                              \
    target void gradient##name(const GradientTile& t, const GradientArguments& a)                  \
    {                                                                                              \
        switch (t.width) {                                                                         \
        case 16:                                                                                   \
            return gradientRows<exponential, 16>(t, a);                                            \
        case 32:                                                                                   \
            return gradientRows<exponential, 32>(t, a);                                            \
        case 48:                                                                                   \
            return gradientRows<exponential, 48>(t, a);                                            \
        default:                                                                                   \
            return gradientRows<exponential, kTile>(t, a);                                         \
        }                                                                                          \
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

void softmaxStep(float* S, std::int64_t queries, std::int64_t keys, std::int64_t width, float scale,
                 bool causal, std::int64_t offset, float* top, float* sum, float* rescale)
{
    levelSteps().softmax({S, queries, keys, scale, causal, offset, top, sum, rescale}, width);
}

void gradientStep(const GradientTile& t, float scale, bool causal, std::int64_t offset,
                  const float* logSumExp, const float* D)
{
    levelSteps().gradient(t, {scale, causal, offset, logSumExp, D});
}

void gradientStep(const GradientTile& t, const float* kept, const float* top, float factor,
                  float scale, bool causal, std::int64_t offset, const float* logSumExp,
                  const float* D)
{
    keptStep(t, {kept, top, factor}, {scale, causal, offset, logSumExp, D});
}

SB_TARGET_CLONES void signTile(float* S, const float* factors, std::int64_t rows,
                               std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < width; ++c) {
            const float s = S[r * kTile + c];
            S[r * kTile + c] = factors[r * kTile + c] == 0.0f ? -s : s;
        }
}

SB_TARGET_CLONES void passTile(float* S, float factor, std::int64_t rows, std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < width; ++c) {
            const float s = S[r * kTile + c];
            S[r * kTile + c] = s < 0.0f ? 0.0f : s * factor;
        }
}

void keepTile(const float* S, std::int64_t rows, std::int64_t width, float* kept)
{
    storeF32(S, kTile, nullptr, rows, width, kept, width);
}
void keepTile(const float* S, std::int64_t rows, std::int64_t width, bf16_t* kept)
{
    roundRows(S, kTile, nullptr, rows, width, kept, width);
}

Rows<float> keptRowsOf(const bf16_t* kept, std::int64_t rows, std::int64_t width, float* room)
{
    widen(kept, rows, width, room);
    return {room, kTile};
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

SB_TARGET_CLONES void multiplyTile(float* S, const float* factors, std::int64_t rows,
                                   std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < width; ++c)
            S[r * kTile + c] *= factors[r * kTile + c];
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
    roundRows(x, ldx, factors, rows, columns, out, ldOut);
}

} // namespace scalebench::kernels::cpu
