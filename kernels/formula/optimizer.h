// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One element of an optimizer step. Coefficients that are equal for a whole tensor come ready made
// (computed in double on the host); everything here is fp32.

#include "kernels/formula/host_device.h"

#include <cmath>
#include <cstdint>

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

/// What all tensors share at update number `step`, from 1.
inline AdamCoefficients adamCoefficients(double beta1, double beta2, double epsilon,
                                         std::int64_t step, float gradientScale)
{
    AdamCoefficients c;
    c.gradientScale = gradientScale;
    c.oneMinusBeta1 = float(1.0 - beta1);
    c.beta2 = float(beta2);
    c.oneMinusBeta2 = float(1.0 - beta2);
    c.epsilon = float(epsilon);
    c.correction1 = float(1.0 / (1.0 - std::pow(beta1, double(step))));
    c.rootCorrection2 = float(1.0 / std::sqrt(1.0 - std::pow(beta2, double(step))));
    return c;
}

/// Step size of sparseAdam().
inline double sparseAdamStep(double learningRate, double beta1, double beta2, std::int64_t step)
{
    return learningRate * std::sqrt(1.0 - std::pow(beta2, double(step))) /
           (1.0 - std::pow(beta1, double(step)));
}

/// Adds what belongs to one tensor, for adam().
SB_HOST_DEVICE void setAdamTensor(AdamCoefficients& c, double learningRate, float weightDecay,
                                  bool decoupled)
{
    c.stepSize = float(learningRate);
    c.l2 = decoupled ? 0.0f : weightDecay;
    c.keep = decoupled ? float(1.0 - learningRate * double(weightDecay)) : 1.0f;
}

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

/// The step of LAMB before its rate.
SB_HOST_DEVICE float lambDirection(float w, float m, float v, const AdamCoefficients& c,
                                   float weightDecay)
{
    return adamDirection(m, v, c) + weightDecay * w;
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

/// What a gradient of this norm is multiplied by: so that it is `largest` at most, or 1 with
/// largest 0.
SB_HOST_DEVICE double normFactor(double norm, double largest, double epsilon)
{
    if (largest == 0.0)
        return norm > 0.0 ? 1.0 / norm : 1.0;
    return norm > largest ? largest / (norm + epsilon) : 1.0;
}

/// Trust ratio of a tensor with these norms, the gradient's after its scale; 1 where one is 0.
SB_HOST_DEVICE double larsTrust(double gradNorm, double weightNorm, double eta, double weightDecay,
                                double epsilon)
{
    return gradNorm > 0.0 && weightNorm > 0.0
               ? eta * weightNorm / (gradNorm + weightDecay * weightNorm + epsilon)
               : 1.0;
}

/// LAMB's, from sums of squares.
SB_HOST_DEVICE double lambTrust(double weightSquares, double updateSquares)
{
    return weightSquares > 0.0 && updateSquares > 0.0 ? std::sqrt(weightSquares / updateSquares)
                                                      : 1.0;
}

} // namespace scalebench::formula
