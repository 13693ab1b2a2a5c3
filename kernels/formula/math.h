// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// exp, tanh, sigmoid and the normal distribution function in fp32 without branches or tables, so
// that a loop over them vectorises and the CPU and a GPU compute the same formula. Relative error
// of exp below 2e-7; absolute error of the others below 3e-7. NaN stays NaN.

#include <cstdint>

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

/// e^x: 0 below -87 (no subnormal results), infinity above 88.73. 2^n times a polynomial on
/// +-ln(2)/2 (coefficients of the Taylor series up to x^7, error 1e-8 there). The fused steps are
/// written out: a compiler that may reassociate would fold the two parts of ln(2) into one. No
/// choice at the end: a sum over such results would not vectorise.
SB_HOST_DEVICE float exp(float x)
{
    const float low = -87.336544f, high = 88.8f; // beyond: 2^-127 (made 0) and above 2^128
    const float bounded = x < low ? low : x > high ? high : x;
    const float n = __builtin_rintf(bounded * 1.44269504f);
    const float r = __builtin_fmaf(n, 2.12194440e-4f, __builtin_fmaf(n, -0.693359375f, bounded));
    float q = 1.0f / 5040.0f;
    q = __builtin_fmaf(q, r, 1.0f / 720.0f);
    q = __builtin_fmaf(q, r, 1.0f / 120.0f);
    q = __builtin_fmaf(q, r, 1.0f / 24.0f);
    q = __builtin_fmaf(q, r, 1.0f / 6.0f);
    q = __builtin_fmaf(q, r, 0.5f);
    q = __builtin_fmaf(q, r, 1.0f);
    q = __builtin_fmaf(q, r, 1.0f);
    // n = 128 would need the exponent of infinity: multiply by 2^(n-1) and by 2.
    const std::int32_t exponent = std::int32_t(n == n ? n : 0.0f) + 126;
    return q * 2.0f * __builtin_bit_cast(float, exponent << 23);
}

/// exp() for processors without fused multiply-add and rounding instructions, where those above are
/// function calls and no loop over them vectorises: rounds by truncation of a positive number.
/// Error below 3e-7. The two parts of ln(2) have factors n and -n from conversions of their own,
/// which no compiler takes for the same number and folds.
SB_HOST_DEVICE float expUnfused(float x)
{
    const float low = -87.336544f, high = 88.8f;
    const float bounded = x < low ? low : x > high ? high : x;
    const float rounded =
        (bounded > low ? bounded : low) * 1.44269504f + 129.5f; // a number for NaN
    const std::int32_t shifted = std::int32_t(rounded);         // n + 129
    const float n = float(shifted) - 129.0f, minusN = float(129 - shifted);
    const float r = minusN * -2.12194440e-4f + (n * -0.693359375f + bounded);
    float q = 1.0f / 5040.0f;
    q = q * r + 1.0f / 720.0f;
    q = q * r + 1.0f / 120.0f;
    q = q * r + 1.0f / 24.0f;
    q = q * r + 1.0f / 6.0f;
    q = q * r + 0.5f;
    q = q * r + 1.0f;
    q = q * r + 1.0f;
    return q * 2.0f * __builtin_bit_cast(float, (shifted - 3) << 23);
}

SB_HOST_DEVICE float sigmoid(float x)
{
    return 1.0f / (1.0f + exp(-x));
}

SB_HOST_DEVICE float tanh(float x)
{
    const float a = x < 0.0f ? -x : x;
    const float e = exp(-2.0f * a);
    const float far = (1.0f - e) / (1.0f + e);
    // Near 0 the difference above loses digits: x + x^3 P(x^2), minimax on |x| < 0.625 (Cephes).
    const float z = x * x;
    float p = -5.70498872745e-3f;
    p = __builtin_fmaf(p, z, 2.06390887954e-2f);
    p = __builtin_fmaf(p, z, -5.37397155531e-2f);
    p = __builtin_fmaf(p, z, 1.33314422036e-1f);
    p = __builtin_fmaf(p, z, -3.33332819422e-1f);
    const float near = __builtin_fmaf(p * z, x, x);
    return a < 0.625f ? near : x < 0.0f ? -far : far;
}

/// Distribution function of the standard normal: 1/2 + x P(x^2) / Q(x^2), fitted to the least
/// largest error within +-5.2; 0 and 1 beyond, where it is closer than 1e-7 to them. No
/// exponential: half the time of a formula that has one.
SB_HOST_DEVICE float normalCdf(float x)
{
    const float z = x * x;
    float p = 2.47309178e-8f;
    p = __builtin_fmaf(p, z, 6.40786129e-6f);
    p = __builtin_fmaf(p, z, 1.56861657e-4f);
    p = __builtin_fmaf(p, z, 4.60864510e-3f);
    p = __builtin_fmaf(p, z, 3.25445905e-2f);
    p = __builtin_fmaf(p, z, 3.98942262e-1f);
    float q = 1.25886038e-6f;
    q = __builtin_fmaf(q, z, 7.04959748e-5f);
    q = __builtin_fmaf(q, z, 1.81720313e-3f);
    q = __builtin_fmaf(q, z, 2.79267058e-2f);
    q = __builtin_fmaf(q, z, 2.48243541e-1f);
    q = __builtin_fmaf(q, z, 1.0f);
    const float inside = __builtin_fmaf(x, p / q, 0.5f);
    return x < -5.2f ? 0.0f : x > 5.2f ? 1.0f : inside;
}

/// Derivative of x normalCdf(x), that is normalCdf(x) + x exp(-x^2 / 2) / sqrt(2 pi), by a fit of
/// the same form within +-6.
SB_HOST_DEVICE float normalCdfSlope(float x)
{
    const float z = x * x;
    float p = 1.70455028e-8f;
    p = __builtin_fmaf(p, z, 9.22441700e-7f);
    p = __builtin_fmaf(p, z, 3.40918377e-5f);
    p = __builtin_fmaf(p, z, 2.02700016e-4f);
    p = __builtin_fmaf(p, z, 1.38574028e-2f);
    p = __builtin_fmaf(p, z, -2.23729759e-2f);
    p = __builtin_fmaf(p, z, 7.97884524e-1f);
    float q = 1.31472888e-9f;
    q = __builtin_fmaf(q, z, 3.38952447e-7f);
    q = __builtin_fmaf(q, z, 1.03073044e-5f);
    q = __builtin_fmaf(q, z, 2.45316012e-4f);
    q = __builtin_fmaf(q, z, 3.97141790e-3f);
    q = __builtin_fmaf(q, z, 4.41329516e-2f);
    q = __builtin_fmaf(q, z, 3.05292606e-1f);
    q = __builtin_fmaf(q, z, 1.0f);
    const float inside = __builtin_fmaf(x, p / q, 0.5f);
    return x < -6.0f ? 0.0f : x > 6.0f ? 1.0f : inside;
}

} // namespace scalebench::formula
