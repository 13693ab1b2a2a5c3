// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stochastic gradient descent with (Nesterov) momentum and weight decay, as torch.optim.SGD with
// dampening 0. Formula: kernels/sgd.h. Without momentum it has no state.

#include "engine/optim/optimizer.h"

namespace scalebench {

struct SgdConfig {
    double momentum = 0.9;
    double weightDecay = 1e-4;
    bool nesterov = false;
};

class SgdOptimizer final : public Optimizer
{
public:
    SgdOptimizer(Backend& backend, ParameterSet& parameters, const OptimizerConfig& config,
                 const OptimizerPlacement& placement);
    /// The plain case: everything, fused.
    SgdOptimizer(Backend& backend, ParameterSet& parameters, const SgdConfig& config);

private:
    void updateFused(const Update& update) override;
    void updateUnfused(const Update& update) override;
    void updateTable(const Update& update, int parameter) override;
};

} // namespace scalebench
