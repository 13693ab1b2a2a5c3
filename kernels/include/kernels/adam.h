// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Adam (Kingma and Ba 2014, arXiv 1412.6980) and AdamW (Loshchilov and Hutter 2017, arXiv
// 1711.05101) as torch.optim.Adam and torch.optim.AdamW define them, all tensors in one pass.

#include <cstdint>

#include "kernels/multi_tensor.h"

namespace scalebench {

struct AdamParams {
    double learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    std::int64_t step = 1;      ///< number of this update, from 1: the bias corrections
    bool decoupled = false;     ///< AdamW: decay the weight, not the gradient
    float gradientScale = 1.0f; ///< the gradient is multiplied by it first (clipping, loss scale)
};

namespace kernels::cpu {

/// g = gradientScale * grad;  Adam: g += weightDecay * w;  AdamW: w *= 1 - lr * weightDecay;
/// m += (1 - beta1) * (g - m);  v = beta2 * v + (1 - beta2) * g^2;
/// w -= lr / (1 - beta1^step) * m / (sqrt(v) / sqrt(1 - beta2^step) + epsilon),
/// lr = learningRate * learningRateScale. w, m and v are updated in place.
void adamStep(const AdamParams& p, const ChunkList& list, const float* grad, float* w, float* m,
              float* v);

} // namespace kernels::cpu
} // namespace scalebench
