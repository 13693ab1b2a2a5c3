// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One element of an optimizer step.

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

/// torch.optim.SGD with dampening 0; w and v are updated.
SB_HOST_DEVICE void sgd(float grad, float& w, float& v, float learningRate, float momentum,
                        float weightDecay, float nesterov)
{
    const float g = grad + weightDecay * w;
    v = momentum * v + g;
    w -= learningRate * (nesterov != 0.0f ? g + momentum * v : v);
}

} // namespace scalebench::formula
