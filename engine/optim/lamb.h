// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// LAMB as NVIDIA's BERT and MLPerf BERT use it (kernels/lamb.h). State: "moment1", "moment2".

#include "engine/optim/optimizer.h"

namespace scalebench {

class LambOptimizer final : public Optimizer
{
public:
    LambOptimizer(Backend& backend, ParameterSet& parameters, const OptimizerConfig& config,
                  const OptimizerPlacement& placement = {});

private:
    void updateFused(const Update& update) override;
    void updateUnfused(const Update& update) override;
    void updateTable(const Update& update, int parameter) override;
    LambParams params(const Update& update) const;
    void computeTrust(const LambParams& p);
    /// The unfused mode's first half of one tensor; `direction` gets what the weight moves along.
    void makeDirection(const LambParams& p, const Piece& piece, std::span<float> direction);

    std::vector<double> squares_; ///< of weights, then of updates
    std::vector<float> trust_;
    Tensor directions_; ///< of all tensors: the trust ratios need them before the weights move
};

} // namespace scalebench
