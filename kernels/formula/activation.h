// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// ReLU and the affine forms of batch normalisation, per element.

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

/// max(v, 0); NaN stays NaN (a comparison the other way round would hide it).
SB_HOST_DEVICE float relu(float v)
{
    return v < 0.0f ? 0.0f : v;
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
