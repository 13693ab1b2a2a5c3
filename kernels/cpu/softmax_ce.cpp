// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/softmax_ce.h"

#include <cmath>
#include <vector>

#include "kernels/cpu/loss_sum.h"
#include "kernels/cpu/row_max.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/math.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 8192; // logits of one piece

struct RowSums {
    double exps, logits;
};

/// sum exp(z - top) (NaN if a logit is) and, for smoothing, sum z. exps [classes], or null: gets
/// the first sum's terms.
template <class T>
SB_HOST_DEVICE RowSums rowSums(const T* z, std::int64_t classes, float top, bool smoothing,
                               float* exps)
{
    RowSums sums;
    sums.exps = sumOfTerms(
        classes, [&](std::int64_t c) { return formula::exp(load(z + c) - top); }, exps);
    sums.logits =
        smoothing ? sumOfTerms(classes, [&](std::int64_t c) { return load(z + c); }) : 0.0;
    return sums;
}

template <class T>
SB_HOST_DEVICE void rowGradient(const SoftmaxCeParams& p, const float* exps, std::int32_t label,
                                float inverse, T* dz)
{
    const float uniform = p.labelSmoothing / float(p.classes);
    const float atLabel = exps[label] * inverse - uniform - (1.0f - p.labelSmoothing);
    const float scale = p.scale * inverse, shift = p.scale * uniform;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < p.classes; ++c)
        store(dz + c, scale * exps[c] - shift);
    store(dz + label, p.scale * atLabel);
}

template <class T>
SB_HOST_DEVICE SoftmaxCeResult rows(const SoftmaxCeParams& p, const T* logits,
                                    const std::int32_t* labels, T* dlogits, std::int64_t n,
                                    float* exps)
{
    SoftmaxCeResult result;
    for (std::int64_t r = 0; r < n; ++r) {
        const T* z = logits + r * p.classes;
        T* dz = dlogits ? dlogits + r * p.classes : nullptr;
        const std::int32_t label = labels[r];
        if (label < 0 || label == p.ignoreLabel) {
            for (std::int64_t c = 0; dz && c < p.classes; ++c)
                dz[c] = T(0);
            continue;
        }
        const float top = rowMax(z, p.classes), zLabel = load(z + label);
        const RowSums sums = rowSums(z, p.classes, top, p.labelSmoothing > 0.0f, exps);
        // -sum t log p with log p = z - logSum and sum t = 1
        const double smooth = double(p.labelSmoothing);
        result.lossSum += double(top) + std::log(sums.exps) - (1.0 - smooth) * double(zLabel) -
                          smooth / double(p.classes) * sums.logits;
        // No NaN, which the maximum passes over, and no earlier column as large.
        bool first = zLabel == top && sums.exps == sums.exps;
        for (std::int64_t c = 0; first && c < label; ++c)
            first = load(z + c) < top;
        result.correct += first ? 1 : 0;
        result.counted += 1;
        if (dz)
            rowGradient(p, exps, label, float(1.0 / sums.exps), dz);
    }
    return result;
}
SB_TARGET_CLONES void rowsF32(const SoftmaxCeParams& p, const float* logits,
                              const std::int32_t* labels, float* dlogits, std::int64_t n,
                              float* exps, SoftmaxCeResult& result)
{
    result = rows(p, logits, labels, dlogits, n, exps);
}
SB_TARGET_CLONES void rowsBf16(const SoftmaxCeParams& p, const bf16_t* logits,
                               const std::int32_t* labels, bf16_t* dlogits, std::int64_t n,
                               float* exps, SoftmaxCeResult& result)
{
    result = rows(p, logits, labels, dlogits, n, exps);
}

template <class T>
T* at(void* p, std::int64_t i)
{
    return p ? static_cast<T*>(p) + i : nullptr;
}

} // namespace

SoftmaxCeResult softmaxCrossEntropy(const SoftmaxCeParams& p, const void* logits,
                                    const std::int32_t* labels, void* dlogits)
{
    const std::int64_t grain =
        std::max<std::int64_t>(kGrain / std::max<std::int64_t>(p.classes, 1), 1);
    return sumOfRanges<SoftmaxCeResult>(p.N, grain, [&](std::int64_t b, std::int64_t e) {
        SoftmaxCeResult part;
        thread_local std::vector<float> exps; // of a row, for its gradient
        if (dlogits)
            exps.resize(std::size_t(p.classes));
        float* const kept = dlogits ? exps.data() : nullptr;
        const std::int64_t first = b * p.classes;
        if (p.dtype == DType::F32)
            rowsF32(p, static_cast<const float*>(logits) + first, labels + b,
                    at<float>(dlogits, first), e - b, kept, part);
        else
            rowsBf16(p, static_cast<const bf16_t*>(logits) + first, labels + b,
                     at<bf16_t>(dlogits, first), e - b, kept, part);
        return part;
    });
}

} // namespace scalebench::kernels::cpu
