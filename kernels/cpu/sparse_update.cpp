// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sparse_update.h"

#include "kernels/cpu/parallel.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kRowsAhead = 8; // of the table, fetched into the second-level cache

/// Rows of one piece of work: about 16384 elements, so that short rows do not cost a join each.
std::int64_t rowGrain(std::int64_t width)
{
    return std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(width, 1));
}

SB_TARGET_CLONES void sgdRows(std::int64_t begin, std::int64_t end, std::int64_t width,
                              const std::int32_t* __restrict rows, const float* __restrict values,
                              float* __restrict table, float step)
{
    for (std::int64_t r = begin; r < end; ++r) {
        for (std::int64_t i = 0; r + kRowsAhead < end && i < width; i += 16)
            __builtin_prefetch(table + rows[r + kRowsAhead] * width + i, 1, 2);
        const float* __restrict g = values + r * width;
        float* __restrict w = table + rows[r] * width;
        for (std::int64_t i = 0; i < width; ++i)
            w[i] -= step * g[i];
    }
}

SB_TARGET_CLONES void adamRows(std::int64_t begin, std::int64_t end, std::int64_t width,
                               const std::int32_t* __restrict rows, const float* __restrict values,
                               float* __restrict table, float* __restrict m, float* __restrict v,
                               formula::AdamCoefficients c)
{
    for (std::int64_t r = begin; r < end; ++r) {
        const std::int64_t at = rows[r] * width;
        for (std::int64_t i = 0; i < width; ++i)
            formula::sparseAdam(c.gradientScale * values[r * width + i], table[at + i], m[at + i],
                                v[at + i], c);
    }
}

} // namespace

void sparseSgdStep(const SparseSgdParams& p, const SparseRowsView& grad, float* table)
{
    const auto step = float(p.learningRate * double(p.gradientScale));
    parallelRanges(grad.count, rowGrain(grad.width), [&](std::int64_t begin, std::int64_t end) {
        sgdRows(begin, end, grad.width, grad.rows, grad.values, table, step);
    });
}

void sparseAdamStep(const SparseAdamParams& p, const SparseRowsView& grad, float* table, float* m,
                    float* v)
{
    formula::AdamCoefficients c =
        formula::adamCoefficients(p.beta1, p.beta2, p.epsilon, p.step, p.gradientScale);
    c.stepSize = float(formula::sparseAdamStep(p.learningRate, p.beta1, p.beta2, p.step));
    parallelRanges(grad.count, rowGrain(grad.width), [&](std::int64_t begin, std::int64_t end) {
        adamRows(begin, end, grad.width, grad.rows, grad.values, table, m, v, c);
    });
}

} // namespace scalebench::kernels::cpu
