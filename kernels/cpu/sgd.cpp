// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sgd.h"

#include "kernels/cpu/parallel.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::kernels::cpu {
namespace {

SB_TARGET_CLONES void loop(std::int64_t n, const float* __restrict grad, float* __restrict w,
                           float* __restrict v, float learningRate, float momentum,
                           float weightDecay, bool nesterov)
{
    if (nesterov)
        for (std::int64_t i = 0; i < n; ++i)
            formula::sgd(grad[i], w[i], v[i], learningRate, momentum, weightDecay, 1.0f);
    else
        for (std::int64_t i = 0; i < n; ++i)
            formula::sgd(grad[i], w[i], v[i], learningRate, momentum, weightDecay, 0.0f);
}

} // namespace

void sgdStep(const SgdParams& p, std::int64_t n, const float* grad, float* w, float* velocity)
{
    parallelRanges(n, 65536, [&](std::int64_t begin, std::int64_t end) {
        loop(end - begin, grad + begin, w + begin, velocity + begin, p.learningRate, p.momentum,
             p.weightDecay, p.nesterov);
    });
}

} // namespace scalebench::kernels::cpu
