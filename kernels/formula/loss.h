// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses of one element and their derivatives, in forms that neither overflow nor cancel.

#include "kernels/formula/host_device.h"
#include "kernels/formula/math.h"

namespace scalebench::formula {

/// A loss and its derivative by the prediction.
struct LossAndSlope {
    float loss, slope;
};

/// ln(1 + e) for e in [0,1]: 2 artanh(e / (2 + e)) as its series, error 2e-9 at e = 1.
SB_HOST_DEVICE float log1pUnit(float e)
{
    const float s = e / (2.0f + e), z = s * s;
    float p = 1.0f / 15.0f;
    p = __builtin_fmaf(p, z, 1.0f / 13.0f);
    p = __builtin_fmaf(p, z, 1.0f / 11.0f);
    p = __builtin_fmaf(p, z, 1.0f / 9.0f);
    p = __builtin_fmaf(p, z, 1.0f / 7.0f);
    p = __builtin_fmaf(p, z, 1.0f / 5.0f);
    p = __builtin_fmaf(p, z, 1.0f / 3.0f);
    return 2.0f * __builtin_fmaf(p * z, s, s);
}

/// ln(1 + e^x) and, in `sigmoid`, its derivative.
SB_HOST_DEVICE float softplus(float x, float& sigmoid)
{
    const float a = x < 0.0f ? -x : x;
    const float e = exp(-a), inverse = 1.0f / (1.0f + e);
    sigmoid = x < 0.0f ? e * inverse : inverse;
    return (x < 0.0f ? 0.0f : x) + log1pUnit(e);
}

/// Binary cross-entropy of sigmoid(z) with a target in [0,1]: softplus(z) - z t.
SB_HOST_DEVICE LossAndSlope sigmoidCrossEntropy(float z, float target)
{
    float probability;
    const float loss = softplus(z, probability) - z * target;
    return {loss, probability - target};
}

/// Focal loss (Lin et al. 2017, arXiv 1708.02002, eq. 5) of a logit whose target is 1 or 0:
/// -alpha_t (1 - p_t)^gamma ln p_t. With u = z or -z, p_t = sigmoid(u), so that ln p_t =
/// -softplus(-u) and ln(1 - p_t) = -softplus(u) = -(u + softplus(-u)).
SB_HOST_DEVICE LossAndSlope focal(float z, bool target, float alpha, float gamma)
{
    const float sign = target ? 1.0f : -1.0f, alphaT = target ? alpha : 1.0f - alpha;
    const float u = sign * z;
    float wrong; // 1 - p_t
    const float entropy = softplus(-u, wrong);
    float right;
    const float modulation = alphaT * exp(-gamma * softplus(u, right));
    return {modulation * entropy, -sign * modulation * (gamma * right * entropy + wrong)};
}

/// Smooth L1 (Girshick 2015, arXiv 1504.08083, eq. 3, with torch's beta): d^2 / (2 beta) within
/// beta, |d| - beta / 2 beyond; beta = 0 is the absolute difference.
SB_HOST_DEVICE LossAndSlope smoothL1(float difference, float beta)
{
    const float a = difference < 0.0f ? -difference : difference;
    const float sign = difference > 0.0f ? 1.0f : difference < 0.0f ? -1.0f : 0.0f * difference;
    const bool near = a < beta;
    const float inverse = near ? 1.0f / beta : 0.0f;
    return {near ? 0.5f * a * a * inverse : a - 0.5f * beta, near ? difference * inverse : sign};
}

} // namespace scalebench::formula
