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

constexpr std::int64_t kFocalRows = 64;

/// At most kFocalRows rows of one weight, none ignored: all as background, which makes one loop of
/// them however few classes there are, then the columns of labels put right.
template <class T>
SB_HOST_DEVICE double focalRun(const FocalLossParams& p, const T* z, const std::int32_t* labels,
                               float weight, T* dz, std::int64_t rows)
{
    const auto background = [&](std::int64_t i) SB_INLINE {
        return formula::focal(load(z + i), false, p.alpha, p.gamma);
    };
    const float scale = p.scale * weight;
    float named[kFocalRows]; // before dz may overwrite z
    for (std::int64_t r = 0; r < rows; ++r)
        named[r] = labels[r] >= 0 ? load(z + r * p.classes + labels[r]) : 0.0f;
    double total = dz ? sumOfTerms(rows * p.classes,
                                   [&](std::int64_t i) SB_INLINE {
                                       const formula::LossAndSlope of = background(i);
                                       store(dz + i, scale * of.slope);
                                       return of.loss;
                                   })
                      : sumOfTerms(rows * p.classes,
                                   [&](std::int64_t i) SB_INLINE { return background(i).loss; });
    for (std::int64_t r = 0; r < rows; ++r) {
        if (labels[r] < 0)
            continue;
        const formula::LossAndSlope hit = formula::focal(named[r], true, p.alpha, p.gamma);
        total += double(hit.loss) - double(formula::focal(named[r], false, p.alpha, p.gamma).loss);
        if (dz)
            store(dz + r * p.classes + labels[r], scale * hit.slope);
    }
    return weight * total;
}

template <class T>
SB_HOST_DEVICE double focalRows(const FocalLossParams& p, const T* z, const std::int32_t* labels,
                                const float* weights, T* dz, std::int64_t rows)
{
    double total = 0.0;
    for (std::int64_t r = 0, run = 1; r < rows; r += run, run = 1) {
        T* const out = dz ? dz + r * p.classes : nullptr;
        if (labels[r] == kFocalIgnored) {
            for (std::int64_t c = 0; out && c < p.classes; ++c)
                out[c] = T(0);
            continue;
        }
        while (run < kFocalRows && r + run < rows && labels[r + run] != kFocalIgnored &&
               (!weights || weights[r + run] == weights[r]))
            ++run;
        total += focalRun(p, z + r * p.classes, labels + r, weights ? weights[r] : 1.0f, out, run);
    }
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
