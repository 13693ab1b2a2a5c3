// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The activation functions and the affine forms of batch normalisation, per element.

#include "kernels/activation.h"
#include "kernels/formula/host_device.h"
#include "kernels/formula/math.h"

namespace scalebench::formula {

/// max(v, 0); NaN stays NaN (a comparison the other way round would hide it).
SB_HOST_DEVICE float relu(float v)
{
    return v < 0.0f ? 0.0f : v;
}

/// 0.5 x (1 + tanh(u)) with u = sqrt(2/pi) (x + 0.044715 x^3); `slope` gets its derivative.
SB_HOST_DEVICE float geluTanh(float x, float& slope)
{
    const float c = 0.79788456f, k = 0.044715f;
    const float t = tanh(c * (x + k * x * x * x));
    slope = 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * c * (1.0f + 3.0f * k * x * x);
    return 0.5f * x * (1.0f + t);
}

/// a(x). In loops `a` should be a constant.
SB_HOST_DEVICE float activate(Activation a, float x)
{
    float slope;
    switch (a) {
    case Activation::Relu:
        return relu(x);
    case Activation::GeluErf:
        return x * normalCdf(x);
    case Activation::GeluTanh:
        return geluTanh(x, slope);
    case Activation::Tanh:
        return tanh(x);
    case Activation::Sigmoid:
        return sigmoid(x);
    case Activation::None:
        break;
    }
    return x;
}

/// True where the backward needs the input of the activation; else it needs the output.
SB_HOST_DEVICE constexpr bool backwardNeedsInput(Activation a)
{
    return a == Activation::GeluErf || a == Activation::GeluTanh;
}

/// dx = dy a'(x), from `kept`: x or a(x) as backwardNeedsInput() says.
SB_HOST_DEVICE float activateBackward(Activation a, float kept, float dy)
{
    float slope = 1.0f;
    switch (a) {
    case Activation::Relu:
        return kept > 0.0f ? dy : 0.0f;
    case Activation::GeluErf:
        slope = normalCdfSlope(kept);
        break;
    case Activation::GeluTanh:
        geluTanh(kept, slope);
        break;
    case Activation::Tanh:
        slope = 1.0f - kept * kept;
        break;
    case Activation::Sigmoid:
        slope = kept * (1.0f - kept);
        break;
    case Activation::None:
        break;
    }
    return dy * slope;
}

/// Batch norm forward: scale = gamma * invStd, shift = beta - mean * scale.
SB_HOST_DEVICE float normalise(float x, float scale, float shift)
{
    return x * scale + shift;
}

/// Batch norm backward: a * g + b * x + c with the per-channel coefficients of
/// batchNormBackwardApply().
SB_HOST_DEVICE float normaliseBackward(float g, float x, float a, float b, float c)
{
    return a * g + (b * x + c);
}

} // namespace scalebench::formula
