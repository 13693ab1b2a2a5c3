// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/lars.h"

#include <cmath>

#include "kernels/cpu/multi_tensor.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::kernels::cpu {
namespace {

SB_TARGET_CLONES void loop(std::int64_t n, const float* __restrict grad, float* __restrict w,
                           float* __restrict v, float scale, float momentum, float weightDecay,
                           float step, float apply)
{
    for (std::int64_t i = 0; i < n; ++i)
        formula::lars(scale * grad[i], w[i], v[i], momentum, weightDecay, step, apply);
}

} // namespace

void larsRatios(const LarsParams& p, const ChunkList& list, const double* gradSquares,
                const double* weightSquares, float* trust)
{
    for (std::size_t t = 0; t < list.tensors.size(); ++t) {
        const TensorSetting& s = list.tensors[t];
        const double g = std::sqrt(gradSquares[t]) * std::abs(double(p.gradientScale));
        const double w = std::sqrt(weightSquares[t]);
        trust[t] = s.adapt
                       ? float(formula::larsTrust(g, w, p.eta, double(s.weightDecay), p.epsilon))
                       : 1.0f;
    }
}

void larsStep(const LarsParams& p, const ChunkList& list, const float* trust, const float* grad,
              float* w, float* velocity)
{
    forChunks(list, [&](const TensorChunk& c, std::int64_t) {
        const TensorSetting& t = list.tensors[std::size_t(c.tensor)];
        const double lr = p.learningRate * double(t.learningRateScale);
        const double ratio = double(trust[c.tensor]);
        const bool inside = p.learningRateInMomentum;
        loop(c.count, grad + c.offset, w + c.offset, velocity + c.offset, p.gradientScale,
             float(p.momentum), t.weightDecay, float(inside ? lr * ratio : ratio),
             float(inside ? 1.0 : lr));
    });
}

} // namespace scalebench::kernels::cpu
