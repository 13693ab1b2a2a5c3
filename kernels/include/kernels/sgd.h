// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stochastic gradient descent with momentum, as torch.optim.SGD defines it with dampening 0
// (https://pytorch.org/docs/stable/generated/torch.optim.SGD.html), all tensors in one pass.

#include <cstdint>

#include "kernels/multi_tensor.h"

namespace scalebench {

struct SgdParams {
    float learningRate = 0.1f, momentum = 0.9f;
    bool nesterov = false;
    float gradientScale = 1.0f; ///< the gradient is multiplied by it first (clipping, loss scale)
};

namespace kernels::cpu {

/// g = gradientScale * grad + weightDecay * w;  v = momentum * v + g;
/// w -= learningRate * learningRateScale * (nesterov ? g + momentum * v : v).
/// w and velocity are updated in place. With momentum 0 velocity may be null and is not touched.
void sgdStep(const SgdParams& p, const ChunkList& list, const float* grad, float* w,
             float* velocity);

} // namespace kernels::cpu
} // namespace scalebench
