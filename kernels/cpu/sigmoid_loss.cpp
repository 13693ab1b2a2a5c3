// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sigmoid_loss.h"

#include "kernels/cpu/loss_sum.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/host_device.h"
#include "kernels/formula/loss.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kGrain = 8192;

template <class T>
SB_HOST_DEVICE double crossEntropy(const SigmoidCeParams& p, const T* z, const float* t,
                                   const float* w, T* dz, std::int64_t n)
{
    auto plain = [&](std::int64_t i) { return formula::sigmoidCrossEntropy(load(z + i), t[i]); };
    if (!dz)
        return w ? sumOfTerms(n, [&](std::int64_t i) { return w[i] * plain(i).loss; })
                 : sumOfTerms(n, [&](std::int64_t i) { return plain(i).loss; });
    if (!w)
        return sumOfTerms(n, [&](std::int64_t i) {
            const formula::LossAndSlope r = plain(i);
            store(dz + i, p.scale * r.slope);
            return r.loss;
        });
    return sumOfTerms(n, [&](std::int64_t i) {
        const formula::LossAndSlope r = plain(i);
        store(dz + i, p.scale * w[i] * r.slope);
        return w[i] * r.loss;
    });
}
SB_TARGET_CLONES double crossEntropyF32(const SigmoidCeParams& p, const float* z, const float* t,
                                        const float* w, float* dz, std::int64_t n)
{
    return crossEntropy(p, z, t, w, dz, n);
}
SB_TARGET_CLONES double crossEntropyBf16(const SigmoidCeParams& p, const bf16_t* z, const float* t,
                                         const float* w, bf16_t* dz, std::int64_t n)
{
    return crossEntropy(p, z, t, w, dz, n);
}

/// One row: all columns as background, then the one of the label put right.
template <class T>
SB_HOST_DEVICE double focalRow(const FocalLossParams& p, const T* z, std::int32_t label,
                               float weight, T* dz)
{
    const float scale = p.scale * weight;
    if (label == kFocalIgnored) {
        for (std::int64_t c = 0; dz && c < p.classes; ++c)
            dz[c] = T(0);
        return 0.0;
    }
    double total = 0.0;
    formula::LossAndSlope hit{0.0f, 0.0f};
    if (label >= 0) { // before dz may overwrite z
        hit = formula::focal(load(z + label), true, p.alpha, p.gamma);
        total = double(hit.loss) -
                double(formula::focal(load(z + label), false, p.alpha, p.gamma).loss);
    }
    if (!dz)
        return weight * (total + sumOfTerms(p.classes, [&](std::int64_t c) SB_INLINE {
                             return formula::focal(load(z + c), false, p.alpha, p.gamma).loss;
                         }));
    total += sumOfTerms(p.classes, [&](std::int64_t c) SB_INLINE {
        const formula::LossAndSlope r = formula::focal(load(z + c), false, p.alpha, p.gamma);
        store(dz + c, scale * r.slope);
        return r.loss;
    });
    if (label >= 0)
        store(dz + label, scale * hit.slope);
    return weight * total;
}
template <class T>
SB_HOST_DEVICE double focalRows(const FocalLossParams& p, const T* z, const std::int32_t* labels,
                                const float* weights, T* dz, std::int64_t rows)
{
    double total = 0.0;
    for (std::int64_t r = 0; r < rows; ++r)
        total += focalRow(p, z + r * p.classes, labels[r], weights ? weights[r] : 1.0f,
                          dz ? dz + r * p.classes : nullptr);
    return total;
}
SB_TARGET_CLONES double focalF32(const FocalLossParams& p, const float* z,
                                 const std::int32_t* labels, const float* weights, float* dz,
                                 std::int64_t rows)
{
    return focalRows(p, z, labels, weights, dz, rows);
}
SB_TARGET_CLONES double focalBf16(const FocalLossParams& p, const bf16_t* z,
                                  const std::int32_t* labels, const float* weights, bf16_t* dz,
                                  std::int64_t rows)
{
    return focalRows(p, z, labels, weights, dz, rows);
}

template <class T>
T* at(void* p, std::int64_t i)
{
    return p ? static_cast<T*>(p) + i : nullptr;
}

} // namespace

double sigmoidCrossEntropy(const SigmoidCeParams& p, const void* logits, const float* targets,
                           const float* weights, void* dlogits)
{
    return sumOfRanges<double>(p.n, kGrain, [&](std::int64_t b, std::int64_t e) {
        const float* w = weights ? weights + b : nullptr;
        if (p.dtype == DType::F32)
            return crossEntropyF32(p, static_cast<const float*>(logits) + b, targets + b, w,
                                   at<float>(dlogits, b), e - b);
        return crossEntropyBf16(p, static_cast<const bf16_t*>(logits) + b, targets + b, w,
                                at<bf16_t>(dlogits, b), e - b);
    });
}

double focalLoss(const FocalLossParams& p, const void* logits, const std::int32_t* labels,
                 const float* weights, void* dlogits)
{
    const std::int64_t grain =
        std::max<std::int64_t>(kGrain / std::max<std::int64_t>(p.classes, 1), 1);
    return sumOfRanges<double>(p.N, grain, [&](std::int64_t b, std::int64_t e) {
        const std::int64_t first = b * p.classes;
        const float* w = weights ? weights + b : nullptr;
        if (p.dtype == DType::F32)
            return focalF32(p, static_cast<const float*>(logits) + first, labels + b, w,
                            at<float>(dlogits, first), e - b);
        return focalBf16(p, static_cast<const bf16_t*>(logits) + first, labels + b, w,
                         at<bf16_t>(dlogits, first), e - b);
    });
}

} // namespace scalebench::kernels::cpu
