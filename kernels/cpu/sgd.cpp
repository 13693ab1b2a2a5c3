// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sgd.h"

#include "kernels/cpu/multi_tensor.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::kernels::cpu {
namespace {

SB_TARGET_CLONES void momentumLoop(std::int64_t n, const float* __restrict grad,
                                   float* __restrict w, float* __restrict v, float learningRate,
                                   float momentum, float weightDecay, bool nesterov, float scale)
{
    if (nesterov)
        for (std::int64_t i = 0; i < n; ++i)
            formula::sgd(scale * grad[i], w[i], v[i], learningRate, momentum, weightDecay, 1.0f);
    else
        for (std::int64_t i = 0; i < n; ++i)
            formula::sgd(scale * grad[i], w[i], v[i], learningRate, momentum, weightDecay, 0.0f);
}

SB_TARGET_CLONES void plainLoop(std::int64_t n, const float* __restrict grad, float* __restrict w,
                                float learningRate, float weightDecay, float scale)
{
    for (std::int64_t i = 0; i < n; ++i) {
        float v = 0.0f;
        formula::sgd(scale * grad[i], w[i], v, learningRate, 0.0f, weightDecay, 0.0f);
    }
}

} // namespace

void sgdStep(const SgdParams& p, const ChunkList& list, const float* grad, float* w,
             float* velocity)
{
    forChunks(list, [&](const TensorChunk& c, std::int64_t) {
        const TensorSetting& t = list.tensors[std::size_t(c.tensor)];
        const float lr = p.learningRate * t.learningRateScale;
        if (p.momentum == 0.0f)
            plainLoop(c.count, grad + c.offset, w + c.offset, lr, t.weightDecay, p.gradientScale);
        else
            momentumLoop(c.count, grad + c.offset, w + c.offset, velocity + c.offset, lr,
                         p.momentum, t.weightDecay, p.nesterov, p.gradientScale);
    });
}

} // namespace scalebench::kernels::cpu
