// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/lamb.h"

#include "kernels/cpu/multi_tensor.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::AdamCoefficients;

AdamCoefficients coefficients(const LambParams& p)
{
    return formula::adamCoefficients(p.beta1, p.beta2, p.epsilon, p.step, p.gradientScale);
}

SB_TARGET_CLONES void momentLoop(std::int64_t n, const float* __restrict grad,
                                 const float* __restrict w, float* __restrict m,
                                 float* __restrict v, AdamCoefficients c, float decay,
                                 double* __restrict sums)
{
    double weightSum = 0.0, updateSum = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
        formula::moments(c.gradientScale * grad[i], m[i], v[i], c);
        const float u = formula::lambDirection(w[i], m[i], v[i], c, decay);
        weightSum += double(w[i]) * double(w[i]);
        updateSum += double(u) * double(u);
    }
    sums[0] = weightSum;
    sums[1] = updateSum;
}

SB_TARGET_CLONES void applyLoop(std::int64_t n, const float* __restrict m,
                                const float* __restrict v, float* __restrict w, AdamCoefficients c,
                                float decay)
{
    for (std::int64_t i = 0; i < n; ++i)
        w[i] -= c.stepSize * formula::lambDirection(w[i], m[i], v[i], c, decay);
}

} // namespace

void lambMoments(const LambParams& p, const ChunkList& list, const float* grad, const float* w,
                 float* m, float* v, double* partial, double* weightSquares, double* updateSquares)
{
    const AdamCoefficients c = coefficients(p);
    const std::size_t chunks = list.chunks.size();
    forChunks(list, [&](const TensorChunk& k, std::int64_t i) {
        double sums[2];
        momentLoop(k.count, grad + k.offset, w + k.offset, m + k.offset, v + k.offset, c,
                   list.tensors[std::size_t(k.tensor)].weightDecay, sums);
        partial[i] = sums[0];
        partial[chunks + std::size_t(i)] = sums[1];
    });
    sumByTensor(list, partial, weightSquares);
    sumByTensor(list, partial + chunks, updateSquares);
}

void lambRatios(const LambParams& p, const ChunkList& list, const double* weightSquares,
                const double* updateSquares, float* trust)
{
    for (std::size_t t = 0; t < list.tensors.size(); ++t) {
        const bool scaled = p.adaptWithoutDecay || list.tensors[t].weightDecay != 0.0f;
        trust[t] = scaled ? float(formula::lambTrust(weightSquares[t], updateSquares[t])) : 1.0f;
    }
}

void lambApply(const LambParams& p, const ChunkList& list, const float* trust, const float* m,
               const float* v, float* w)
{
    const AdamCoefficients common = coefficients(p);
    forChunks(list, [&](const TensorChunk& k, std::int64_t) {
        const TensorSetting& t = list.tensors[std::size_t(k.tensor)];
        AdamCoefficients c = common;
        c.stepSize = float(p.learningRate * double(t.learningRateScale) * double(trust[k.tensor]));
        applyLoop(k.count, m + k.offset, v + k.offset, w + k.offset, c, t.weightDecay);
    });
}

} // namespace scalebench::kernels::cpu
