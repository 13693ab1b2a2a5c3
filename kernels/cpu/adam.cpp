// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/adam.h"

#include <cmath>

#include "kernels/cpu/multi_tensor.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::kernels::cpu {
namespace {

SB_TARGET_CLONES void loop(std::int64_t n, const float* __restrict grad, float* __restrict w,
                           float* __restrict m, float* __restrict v, formula::AdamCoefficients c)
{
    for (std::int64_t i = 0; i < n; ++i)
        formula::adam(grad[i], w[i], m[i], v[i], c);
}

} // namespace

void adamStep(const AdamParams& p, const ChunkList& list, const float* grad, float* w, float* m,
              float* v)
{
    formula::AdamCoefficients common;
    common.gradientScale = p.gradientScale;
    common.oneMinusBeta1 = float(1.0 - p.beta1);
    common.beta2 = float(p.beta2);
    common.oneMinusBeta2 = float(1.0 - p.beta2);
    common.epsilon = float(p.epsilon);
    common.correction1 = float(1.0 / (1.0 - std::pow(p.beta1, double(p.step))));
    common.rootCorrection2 = float(1.0 / std::sqrt(1.0 - std::pow(p.beta2, double(p.step))));
    forChunks(list, [&](const TensorChunk& c, std::int64_t) {
        const TensorSetting& t = list.tensors[std::size_t(c.tensor)];
        const double lr = p.learningRate * double(t.learningRateScale);
        formula::AdamCoefficients own = common;
        own.stepSize = float(lr);
        own.l2 = p.decoupled ? 0.0f : t.weightDecay;
        own.keep = p.decoupled ? float(1.0 - lr * double(t.weightDecay)) : 1.0f;
        loop(c.count, grad + c.offset, w + c.offset, m + c.offset, v + c.offset, own);
    });
}

} // namespace scalebench::kernels::cpu
