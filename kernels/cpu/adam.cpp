// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/adam.h"

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
    const formula::AdamCoefficients common =
        formula::adamCoefficients(p.beta1, p.beta2, p.epsilon, p.step, p.gradientScale);
    forChunks(list, [&](const TensorChunk& c, std::int64_t) {
        const TensorSetting& t = list.tensors[std::size_t(c.tensor)];
        formula::AdamCoefficients own = common;
        formula::setAdamTensor(own, p.learningRate * double(t.learningRateScale), t.weightDecay,
                               p.decoupled);
        loop(c.count, grad + c.offset, w + c.offset, m + c.offset, v + c.offset, own);
    });
}

} // namespace scalebench::kernels::cpu
