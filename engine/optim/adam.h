// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Adam and AdamW as torch.optim defines them (kernels/adam.h); rows of tables with sparse gradients
// as torch.optim.SparseAdam (kernels/sparse_update.h). State: "moment1", "moment2".

#include "engine/optim/optimizer.h"

namespace scalebench {

class AdamOptimizer final : public Optimizer
{
public:
    AdamOptimizer(Backend& backend, ParameterSet& parameters, const OptimizerConfig& config,
                  const OptimizerPlacement& placement = {});

private:
    void updateFused(const Update& update) override;
    void updateUnfused(const Update& update) override;
    void updateTable(const Update& update, int parameter) override;
};

} // namespace scalebench
