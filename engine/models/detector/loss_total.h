// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loss of a network with several objectives: their sum, and what the training loop reports.

#include "engine/autograd/functions/loss.h"
#include "engine/nn/loss.h"

#include <vector>

namespace scalebench {

/// Adds up losses that all have the factor of LossParams::scale.
class LossTotal
{
public:
    explicit LossTotal(Tape& tape) : tape_(tape) {}
    void add(autograd::RecordedLoss loss);
    /// The sum; at least one loss was added. correct and counted: of all that have them.
    LossResult result() const;

private:
    Tape& tape_;
    Variable sum_;
    std::vector<LossSums> sums_;
};

} // namespace scalebench
