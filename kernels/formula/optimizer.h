// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One element of an optimizer step. Coefficients that are equal for a whole tensor come ready made
// (computed in double on the host); everything here is fp32.

#include "kernels/formula/host_device.h"

#include <cmath>

namespace scalebench::formula {

/// torch.optim.SGD with dampening 0; w and v are updated.
SB_HOST_DEVICE void sgd(float grad, float& w, float& v, float learningRate, float momentum,
                        float weightDecay, float nesterov)
{
    const float g = grad + weightDecay * w;
    v = momentum * v + g;
    w -= learningRate * (nesterov != 0.0f ? g + momentum * v : v);
}

/// Coefficients of Adam and LAMB.
struct AdamCoefficients {
    float gradientScale = 1.0f;
    float oneMinusBeta1 = 0.1f;
    float beta2 = 0.999f, oneMinusBeta2 = 0.001f;
    float epsilon = 1e-8f;
    float correction1 = 1.0f;     ///< 1 / (1 - beta1^step)
    float rootCorrection2 = 1.0f; ///< 1 / sqrt(1 - beta2^step)
    float l2 = 0.0f;              ///< Adam: decay added to the gradient
    float keep = 1.0f;            ///< AdamW: 1 - lr * decay; else 1
    float stepSize = 1e-3f;       ///< lr
};

SB_HOST_DEVICE void moments(float g, float& m, float& v, const AdamCoefficients& c)
{
    m += c.oneMinusBeta1 * (g - m);
    v = c.beta2 * v + c.oneMinusBeta2 * (g * g);
}

/// The direction both optimizers step along, without decay.
SB_HOST_DEVICE float adamDirection(float m, float v, const AdamCoefficients& c)
{
    return c.correction1 * m / (std::sqrt(v) * c.rootCorrection2 + c.epsilon);
}

SB_HOST_DEVICE void adam(float grad, float& w, float& m, float& v, const AdamCoefficients& c)
{
    const float g = c.gradientScale * grad + c.l2 * w;
    moments(g, m, v, c);
    w = c.keep * w - c.stepSize * adamDirection(m, v, c);
}

/// torch.optim.SparseAdam: stepSize = lr * sqrt(1 - beta2^step) / (1 - beta1^step).
SB_HOST_DEVICE void sparseAdam(float g, float& w, float& m, float& v, const AdamCoefficients& c)
{
    m += c.oneMinusBeta1 * (g - m);
    v += c.oneMinusBeta2 * (g * g - v);
    w -= c.stepSize * m / (std::sqrt(v) + c.epsilon);
}

/// LARS; step = lr * trust or trust, apply = 1 or lr, by where the learning rate goes.
SB_HOST_DEVICE void lars(float g, float& w, float& v, float momentum, float weightDecay, float step,
                         float apply)
{
    v = momentum * v + step * (g + weightDecay * w);
    w -= apply * v;
}

} // namespace scalebench::formula
