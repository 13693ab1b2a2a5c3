// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stochastic gradient descent with (Nesterov) momentum and weight decay over the flat arenas of a
// ParameterSet, in one fused pass. Definition as in torch.optim.SGD with dampening 0
// (https://pytorch.org/docs/stable/generated/torch.optim.SGD.html):
//   g = grad + weightDecay * w;  v = momentum * v + g;  w -= lr * (nesterov ? g + momentum * v : v)
// Weight decay is applied to parameters declared with it.

#include <memory>
#include <span>
#include <vector>

#include "engine/nn/parameter_set.h"

namespace scalebench {

class Backend;

struct SgdConfig {
    double momentum = 0.9;
    double weightDecay = 1e-4;
    bool nesterov = false;
};

class SgdOptimizer
{
public:
    /// `parameters` and `backend` must be built and outlive the optimizer. The velocity is zero.
    /// InvalidArgument for a momentum outside [0,1), a negative decay, or Nesterov without
    /// momentum.
    SgdOptimizer(Backend& backend, ParameterSet& parameters, const SgdConfig& config);

    /// One update of all parameters from the gradient arena; gradients are left as they are.
    /// Calls markValuesChanged().
    void step(double learningRate);

    /// Velocity arena, laid out as the parameters: the optimizer's whole state, for checkpoints.
    std::span<float> state() const noexcept { return {velocity_.get(), count_}; }

private:
    struct Segment {
        std::size_t offset, count;
        float weightDecay;
    };
    Backend& backend_;
    ParameterSet& parameters_;
    SgdConfig config_;
    std::vector<Segment> segments_;
    std::shared_ptr<float> velocity_;
    std::size_t count_ = 0;
};

} // namespace scalebench
