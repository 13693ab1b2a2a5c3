// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/linear_gradient.h"

#include <algorithm>
#include <type_traits>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/activation.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kRows = kGradientRows;
constexpr std::int64_t kGrain = 16384;

// --- activation ---

template <Activation A, class T>
SB_HOST_DEVICE void activationLoop(const T* __restrict x, T* __restrict y, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i)
        store(y + i, formula::activate(A, load(x + i)));
}
SB_TARGET_CLONES void geluErfF32(const float* x, float* y, std::int64_t n)
{
    activationLoop<Activation::GeluErf>(x, y, n);
}
SB_TARGET_CLONES void geluErfBf16(const bf16_t* x, bf16_t* y, std::int64_t n)
{
    activationLoop<Activation::GeluErf>(x, y, n);
}
SB_TARGET_CLONES void geluTanhF32(const float* x, float* y, std::int64_t n)
{
    activationLoop<Activation::GeluTanh>(x, y, n);
}
SB_TARGET_CLONES void geluTanhBf16(const bf16_t* x, bf16_t* y, std::int64_t n)
{
    activationLoop<Activation::GeluTanh>(x, y, n);
}

// --- gradient: one row; sums and g may be null ---

template <Activation A, class In, class Out>
SB_HOST_DEVICE void gradientRow(const In* kept, const In* dy, Out* g, float* sums, std::int64_t C)
{
    // ReLU's is a choice of stored values: rounding again would take longer than all else.
    if constexpr (A == Activation::Relu && std::is_same_v<In, Out>) {
        if (g && sums) {
#pragma GCC ivdep
            for (std::int64_t c = 0; c < C; ++c) {
                const In v = dy[c], chosen = load(kept + c) > 0.0f ? v : In(0);
                g[c] = chosen;
                sums[c] += load(&chosen);
            }
            return;
        }
    }
    if (g && sums) {
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c) {
            const float v = formula::activateBackward(A, load(kept + c), load(dy + c));
            sums[c] += v;
            store(g + c, v);
        }
    } else if (g) {
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c)
            store(g + c, formula::activateBackward(A, load(kept + c), load(dy + c)));
    } else if (sums) {
#pragma GCC ivdep
        for (std::int64_t c = 0; c < C; ++c)
            sums[c] += formula::activateBackward(A, load(kept + c), load(dy + c));
    }
}

template <class In, class Out>
SB_HOST_DEVICE void gradientRows(Activation a, const In* kept, const In* dy, Out* g, float* sums,
                                 std::int64_t rows, std::int64_t C)
{
    for (std::int64_t r = 0; r < rows; ++r, kept += C, dy += C, g = g ? g + C : g)
        switch (a) {
        case Activation::None:
            gradientRow<Activation::None>(kept, dy, g, sums, C);
            break;
        case Activation::Relu:
            gradientRow<Activation::Relu>(kept, dy, g, sums, C);
            break;
        case Activation::GeluErf:
            gradientRow<Activation::GeluErf>(kept, dy, g, sums, C);
            break;
        case Activation::GeluTanh:
            gradientRow<Activation::GeluTanh>(kept, dy, g, sums, C);
            break;
        case Activation::Tanh:
            gradientRow<Activation::Tanh>(kept, dy, g, sums, C);
            break;
        case Activation::Sigmoid:
            gradientRow<Activation::Sigmoid>(kept, dy, g, sums, C);
            break;
        }
}

SB_TARGET_CLONES void rowsF32F32(Activation a, const float* kept, const float* dy, float* g,
                                 float* sums, std::int64_t rows, std::int64_t C)
{
    gradientRows(a, kept, dy, g, sums, rows, C);
}
SB_TARGET_CLONES void rowsF32Bf16(Activation a, const float* kept, const float* dy, bf16_t* g,
                                  float* sums, std::int64_t rows, std::int64_t C)
{
    gradientRows(a, kept, dy, g, sums, rows, C);
}
SB_TARGET_CLONES void rowsBf16Bf16(Activation a, const bf16_t* kept, const bf16_t* dy, bf16_t* g,
                                   float* sums, std::int64_t rows, std::int64_t C)
{
    gradientRows(a, kept, dy, g, sums, rows, C);
}

std::int64_t chunksOf(std::int64_t rows)
{
    return (rows + kRows - 1) / kRows;
}

const void* offset(const void* p, std::int64_t elements, DType t)
{
    return p ? static_cast<const char*>(p) + std::size_t(elements) * dtypeBytes(t) : nullptr;
}

} // namespace

void linearActivation(Activation a, DType dtype, std::int64_t n, const void* x, void* y)
{
    const bool erf = a == Activation::GeluErf;
    parallelRanges(n, kGrain, [&](std::int64_t b, std::int64_t e) {
        if (dtype == DType::F32)
            (erf ? geluErfF32 : geluTanhF32)(static_cast<const float*>(x) + b,
                                             static_cast<float*>(y) + b, e - b);
        else
            (erf ? geluErfBf16 : geluTanhBf16)(static_cast<const bf16_t*>(x) + b,
                                               static_cast<bf16_t*>(y) + b, e - b);
    });
}

std::size_t linearGradientWorkspace(std::int64_t rows, std::int64_t C)
{
    return (std::size_t(chunksOf(rows) * C) * sizeof(float) + 63) / 64 * 64;
}

void linearGradientRows(Activation a, DType dyType, DType gType, std::int64_t rows, std::int64_t C,
                        const void* kept, const void* dy, void* g, float* sums)
{
    if (!kept)
        kept = dy; // read, not used
    if (sums)
        std::fill(sums, sums + C, 0.0f);
    if (dyType == DType::BF16)
        rowsBf16Bf16(a, static_cast<const bf16_t*>(kept), static_cast<const bf16_t*>(dy),
                     static_cast<bf16_t*>(g), sums, rows, C);
    else if (gType == DType::BF16)
        rowsF32Bf16(a, static_cast<const float*>(kept), static_cast<const float*>(dy),
                    static_cast<bf16_t*>(g), sums, rows, C);
    else
        rowsF32F32(a, static_cast<const float*>(kept), static_cast<const float*>(dy),
                   static_cast<float*>(g), sums, rows, C);
}

void addColumnSums(const float* sums, std::int64_t chunks, std::int64_t C, float* db,
                   bool accumulate)
{
    for (std::int64_t c = 0; c < C; ++c) {
        double sum = accumulate ? double(db[c]) : 0.0;
        for (std::int64_t i = 0; i < chunks; ++i)
            sum += double(sums[i * C + c]);
        db[c] = float(sum);
    }
}

void linearGradient(Activation a, DType dyType, DType gType, std::int64_t rows, std::int64_t C,
                    const void* kept, const void* dy, void* g, float* db, bool accumulate,
                    void* workspace)
{
    const std::int64_t chunks = chunksOf(rows);
    auto* partials = static_cast<float*>(workspace);
    parallelFor(chunks, [&](std::int64_t i) {
        const std::int64_t at = i * kRows * C;
        linearGradientRows(a, dyType, gType, std::min(rows - i * kRows, kRows), C,
                           offset(kept, at, dyType), offset(dy, at, dyType),
                           const_cast<void*>(offset(g, at, gType)),
                           db ? partials + i * C : nullptr);
    });
    if (db)
        addColumnSums(partials, chunks, C, db, accumulate);
}

} // namespace scalebench::kernels::cpu
