// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One element of an LSTM step (Hochreiter and Schmidhuber 1997 with forget gates; the equations of
// torch.nn.LSTM):  i, f, o = sigmoid(a_i, a_f, a_o), g = tanh(a_g), c = f cPrev + i g,
// h = o tanh(c).
// The five divisions of a step are two here: the gates share one reciprocal of a product. Inputs
// are bounded (sigmoid +-20, tanh +-10, where fp32 has reached 1), so that no product overflows.
// Absolute error of gates and tanh below 4e-7; NaN stays NaN (in all gates of its element).

#include <cstdint>

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

/// Gates after their activation; also the gradients of the gates before it.
struct LstmGates {
    float i, f, g, o;
};

/// x within +-bound; a NaN passes.
SB_HOST_DEVICE float bounded(float x, float bound)
{
    return x < -bound ? -bound : x > bound ? bound : x;
}

/// e^x for |x| <= 80, relative error below 2e-7: 2^n times the Taylor series on +-ln(2)/2. The
/// fused steps are written out, because a compiler that may reassociate would fold the two parts of
/// ln(2) into one.
SB_HOST_DEVICE float boundedExp(float x)
{
    const float n = __builtin_rintf(x * 1.44269504f);
    const float r = __builtin_fmaf(n, 2.12194440e-4f, __builtin_fmaf(n, -0.693359375f, x));
    float q = 1.0f / 720.0f;
    q = __builtin_fmaf(q, r, 1.0f / 120.0f);
    q = __builtin_fmaf(q, r, 1.0f / 24.0f);
    q = __builtin_fmaf(q, r, 1.0f / 6.0f);
    q = __builtin_fmaf(q, r, 0.5f);
    q = __builtin_fmaf(q, r, 1.0f);
    q = __builtin_fmaf(q, r, 1.0f);
    const std::int32_t exponent = std::int32_t(n == n ? n : 0.0f) + 127;
    return q * __builtin_bit_cast(float, exponent << 23);
}

/// Gates from their sums.
SB_HOST_DEVICE LstmGates lstmActivate(LstmGates a)
{
    const float ei = boundedExp(-bounded(a.i, 20.0f)), ef = boundedExp(-bounded(a.f, 20.0f)),
                eg = boundedExp(-2.0f * bounded(a.g, 10.0f)), eo = boundedExp(-bounded(a.o, 20.0f));
    const float di = 1.0f + ei, df = 1.0f + ef, dg = 1.0f + eg, dd = 1.0f + eo;
    const float inputs = di * df, outputs = dg * dd;
    const float inverse = 1.0f / (inputs * outputs);
    const float inverseInputs = inverse * outputs, inverseOutputs = inverse * inputs;
    return {inverseInputs * df, inverseInputs * di, (1.0f - eg) * (inverseOutputs * dd),
            inverseOutputs * dg};
}

/// tanh of the cell state.
SB_HOST_DEVICE float lstmTanh(float c)
{
    const float e = boundedExp(-2.0f * bounded(c, 10.0f));
    return (1.0f - e) / (1.0f + e);
}

/// The new cell state.
SB_HOST_DEVICE float lstmCell(LstmGates s, float cPrev)
{
    return s.f * cPrev + s.i * s.g;
}

/// Gradients of the gates' sums from dh and the gradient of c that came from the next step; dc is
/// replaced by the gradient of cPrev.
SB_HOST_DEVICE LstmGates lstmBackward(LstmGates s, float cPrev, float c, float dh, float& dc)
{
    const float t = lstmTanh(c);
    const float d = dc + dh * s.o * (1.0f - t * t);
    dc = d * s.f;
    return {d * s.g * s.i * (1.0f - s.i), d * cPrev * s.f * (1.0f - s.f),
            d * s.i * (1.0f - s.g * s.g), dh * t * s.o * (1.0f - s.o)};
}

} // namespace scalebench::formula
