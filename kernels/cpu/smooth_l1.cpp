// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/smooth_l1.h"

#include "kernels/cpu/loss_sum.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/loss.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 8192;

template <class T>
SB_HOST_DEVICE double rowLoss(const SmoothL1Params& p, const T* x, const float* t, float weight,
                              T* dx)
{
    const float factor = weight * (p.huber ? p.beta : 1.0f);
    if (!dx)
        return double(factor) * sumOfTerms(p.width, [&](std::int64_t i) {
                   return formula::smoothL1(load(x + i) - t[i], p.beta).loss;
               });
    return double(factor) * sumOfTerms(p.width, [&](std::int64_t i) {
               const formula::LossAndSlope r = formula::smoothL1(load(x + i) - t[i], p.beta);
               store(dx + i, p.scale * factor * r.slope);
               return r.loss;
           });
}
template <class T>
SB_HOST_DEVICE double rowsLoss(const SmoothL1Params& p, const T* x, const float* t, const float* w,
                               T* dx, std::int64_t rows)
{
    if (!w) { // one long row
        SmoothL1Params whole = p;
        whole.width *= rows;
        return rowLoss(whole, x, t, 1.0f, dx);
    }
    double total = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
        T* d = dx ? dx + r * p.width : nullptr;
        if (w[r] == 0.0f) { // what is there may be infinite: 0 times it is not 0
            for (std::int64_t i = 0; d && i < p.width; ++i)
                d[i] = T(0);
            continue;
        }
        total += rowLoss(p, x + r * p.width, t + r * p.width, w[r], d);
    }
    return total;
}
SB_TARGET_CLONES double rowsF32(const SmoothL1Params& p, const float* x, const float* t,
                                const float* w, float* dx, std::int64_t rows)
{
    return rowsLoss(p, x, t, w, dx, rows);
}
SB_TARGET_CLONES double rowsBf16(const SmoothL1Params& p, const bf16_t* x, const float* t,
                                 const float* w, bf16_t* dx, std::int64_t rows)
{
    return rowsLoss(p, x, t, w, dx, rows);
}

} // namespace

double smoothL1(const SmoothL1Params& p, const void* predictions, const float* targets,
                const float* weights, void* dpredictions)
{
    const std::int64_t grain =
        std::max<std::int64_t>(kGrain / std::max<std::int64_t>(p.width, 1), 1);
    return sumOfRanges<double>(p.N, grain, [&](std::int64_t b, std::int64_t e) {
        const std::int64_t first = b * p.width;
        const float* w = weights ? weights + b : nullptr;
        if (p.dtype == DType::F32)
            return rowsF32(p, static_cast<const float*>(predictions) + first, targets + first, w,
                           dpredictions ? static_cast<float*>(dpredictions) + first : nullptr,
                           e - b);
        return rowsBf16(p, static_cast<const bf16_t*>(predictions) + first, targets + first, w,
                        dpredictions ? static_cast<bf16_t*>(dpredictions) + first : nullptr, e - b);
    });
}

} // namespace scalebench::kernels::cpu
