// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Inner arithmetic of additive attention (Bahdanau, Cho and Bengio 2014, arXiv 1409.0473, appendix
// A.1.2): u = tanh(q + k), for four keys at a time, which share one division.

#include "kernels/formula/lstm_cell.h"

namespace scalebench::formula {

struct Four {
    float a, b, c, d;
};

/// tanh of four numbers, absolute error below 4e-7; a NaN makes all four NaN. Bounded at +-10,
/// where fp32 has reached 1: the product of four 1 + e^20 stays finite.
SB_HOST_DEVICE Four tanh4(Four x)
{
    const float ea = boundedExp(-2.0f * bounded(x.a, 10.0f));
    const float eb = boundedExp(-2.0f * bounded(x.b, 10.0f));
    const float ec = boundedExp(-2.0f * bounded(x.c, 10.0f));
    const float ed = boundedExp(-2.0f * bounded(x.d, 10.0f));
    const float first = (1.0f + ea) * (1.0f + eb), second = (1.0f + ec) * (1.0f + ed);
    const float inverse = 1.0f / (first * second);
    const float inverseFirst = inverse * second, inverseSecond = inverse * first;
    return {(1.0f - ea) * (inverseFirst * (1.0f + eb)), (1.0f - eb) * (inverseFirst * (1.0f + ea)),
            (1.0f - ec) * (inverseSecond * (1.0f + ed)),
            (1.0f - ed) * (inverseSecond * (1.0f + ec))};
}

} // namespace scalebench::formula
