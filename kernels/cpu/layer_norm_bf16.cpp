// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/layer_norm_bf16.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/bf16_lanes.h"

namespace scalebench::kernels::cpu {

#ifdef SB_AVX512_BF16

namespace {

template <class T>
T* rowOf(T* matrix, std::int64_t row, std::int64_t C)
{
    return matrix ? matrix + row * C : nullptr;
}

template <bool kAdd>
SB_BF16_TARGET void forwardRow(const bf16_t* x, const bf16_t* z, bf16_t* sum, const float* gamma,
                               const float* beta, bf16_t* y, std::int64_t C, float epsilon,
                               float& mean, float& invStd)
{
    Lanes32 total = zeros();
    everyColumn(C, [&](std::int64_t c, auto there) SB_BF16_STEP {
        Lanes32 v = load(x + c, there);
        if (kAdd) { // as it is stored, rounded
            store(sum + c, v + load(z + c, there), there);
            v = load(sum + c, there);
        }
        total = total + v;
    });
    const bf16_t* const row = kAdd ? sum : x;
    mean = sumOf(total) / float(C);
    const Lanes32 m = everywhere(mean);
    Lanes32 squares = zeros();
    everyColumn(C, [&](std::int64_t c, auto there) SB_BF16_STEP {
        const Lanes32 d = only(there, load(row + c, there) - m);
        squares = fma(d, d, squares);
    });
    invStd = 1.0f / std::sqrt(sumOf(squares) / float(C) + epsilon);
    const Lanes32 scale = everywhere(invStd);
    everyColumn(C, [&](std::int64_t c, auto there) SB_BF16_STEP {
        const Lanes32 h = (load(row + c, there) - m) * scale;
        store(y + c, fma(h, load(gamma + c, there), load(beta + c, there)), there);
    });
}

SB_BF16_TARGET void forward(const LayerNormForward& f, std::int64_t first, std::int64_t n,
                            std::int64_t C, float epsilon)
{
    for (std::int64_t r = first; r < first + n; ++r) {
        float mean, invStd;
        (f.z ? forwardRow<true>
             : forwardRow<false>)(rowOf(static_cast<const bf16_t*>(f.x), r, C),
                                  rowOf(static_cast<const bf16_t*>(f.z), r, C),
                                  rowOf(static_cast<bf16_t*>(f.sum), r, C), f.gamma, f.beta,
                                  rowOf(static_cast<bf16_t*>(f.y), r, C), C, epsilon, mean, invStd);
        if (f.mean) {
            f.mean[r] = mean;
            f.invStd[r] = invStd;
        }
    }
}

/// One row: see backwardRow() of layer_norm.cpp.
struct GradientRow {
    const bf16_t *s, *dy, *more;
    bf16_t* ds;
    Lanes32 mean, invStd;
};

/// kRows rows side by side, so that the gradients of gamma and beta are read and written once.
template <int kRows>
SB_BF16_INLINE void backwardRows(const GradientRow (&rows)[kRows], const float* gamma,
                                 float* dgamma, float* dbeta, std::int64_t C)
{
    Lanes32 sumG[kRows], sumGh[kRows];
    for (int r = 0; r < kRows; ++r)
        sumG[r] = sumGh[r] = zeros();
    everyColumn(C, [&](std::int64_t c, auto there) SB_BF16_STEP {
        const Lanes32 scale = load(gamma + c, there);
        Lanes32 dg = load(dgamma + c, there), db = load(dbeta + c, there);
        for (int r = 0; r < kRows; ++r) {
            const GradientRow& row = rows[r];
            const Lanes32 d = load(row.dy + c, there),
                          h = (load(row.s + c, there) - row.mean) * row.invStd, g = d * scale;
            sumG[r] = sumG[r] + g;
            sumGh[r] = fma(g, h, sumGh[r]);
            dg = fma(d, h, dg);
            db = db + d;
        }
        store(dgamma + c, dg, there);
        store(dbeta + c, db, there);
    });
    for (int r = 0; r < kRows; ++r) {
        const GradientRow& row = rows[r];
        const Lanes32 a = everywhere(sumOf(sumG[r]) / float(C)),
                      b = everywhere(sumOf(sumGh[r]) / float(C));
        everyColumn(C, [&](std::int64_t c, auto there) SB_BF16_STEP {
            const Lanes32 h = (load(row.s + c, there) - row.mean) * row.invStd,
                          g = load(row.dy + c, there) * load(gamma + c, there);
            Lanes32 ds = (g - a - h * b) * row.invStd;
            if (row.more)
                ds = ds + load(row.more + c, there);
            store(row.ds + c, ds, there);
        });
    }
}

SB_BF16_TARGET void backward(const LayerNormBackward& b, std::int64_t first, std::int64_t n,
                             std::int64_t C, float* dgamma, float* dbeta)
{
    std::fill_n(dgamma, C, 0.0f);
    std::fill_n(dbeta, C, 0.0f);
    const auto row = [&](std::int64_t r) SB_BF16_STEP {
        return GradientRow{rowOf(static_cast<const bf16_t*>(b.s), r, C),
                           rowOf(static_cast<const bf16_t*>(b.dy), r, C),
                           rowOf(static_cast<const bf16_t*>(b.dsMore), r, C),
                           rowOf(static_cast<bf16_t*>(b.ds), r, C),
                           everywhere(b.mean[r]),
                           everywhere(b.invStd[r])};
    };
    std::int64_t r = first;
    for (; r + 2 <= first + n; r += 2)
        backwardRows<2>({row(r), row(r + 1)}, b.gamma, dgamma, dbeta, C);
    if (r < first + n)
        backwardRows<1>({row(r)}, b.gamma, dgamma, dbeta, C);
}

} // namespace

const LayerNormLoops* bf16LayerNorm()
{
    static constexpr LayerNormLoops loops{forward, backward};
    return bf16LanesAvailable() ? &loops : nullptr;
}

#else

const LayerNormLoops* bf16LayerNorm()
{
    return nullptr;
}

#endif

} // namespace scalebench::kernels::cpu
