// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// LARS as MLPerf's ResNet-50 entries use it (kernels/lars.h): parameters without decay (biases,
// batch norm) keep the plain learning rate. State: "momentum".

#include "engine/optim/optimizer.h"

namespace scalebench {

class LarsOptimizer final : public Optimizer
{
public:
    LarsOptimizer(Backend& backend, ParameterSet& parameters, const OptimizerConfig& config,
                  const OptimizerPlacement& placement = {});

private:
    void updateFused(const Update& update) override;
    void updateUnfused(const Update& update) override;
    void updateTable(const Update& update, int parameter) override;
    LarsParams params(const Update& update) const;
    void computeTrust(const LarsParams& p);

    std::vector<double> weightSquares_;
    std::vector<float> trust_;
};

} // namespace scalebench
