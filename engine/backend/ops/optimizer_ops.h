// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parameter updates of a backend, on plain F32 arrays of one length.

#include <span>

namespace scalebench {

class OptimizerOps
{
public:
    virtual ~OptimizerOps() = default;

    virtual void sgdStep(float learningRate, float momentum, float weightDecay, bool nesterov,
                         std::span<const float> grad, std::span<float> weight,
                         std::span<float> velocity) = 0;
};

} // namespace scalebench
