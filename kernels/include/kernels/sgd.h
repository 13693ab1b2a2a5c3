// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One fused pass of stochastic gradient descent with momentum, as torch.optim.SGD defines it.

#include <cstdint>

namespace scalebench {

struct SgdParams {
    float learningRate = 0.1f, momentum = 0.9f, weightDecay = 0.0f;
    bool nesterov = false;
};

namespace kernels::cpu {

/// g = grad + weightDecay * w; v = momentum * v + g; w -= learningRate * (nesterov ? g + momentum *
/// v : v). w and velocity are updated in place; n elements.
void sgdStep(const SgdParams& p, std::int64_t n, const float* grad, float* w, float* velocity);

} // namespace kernels::cpu
} // namespace scalebench
