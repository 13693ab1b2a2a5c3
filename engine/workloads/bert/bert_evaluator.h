// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How many of the masked words BERT finds, and of how many sequences it knows whether their second
// part follows the first. Exact for any number of workers.

#include "engine/workloads/evaluator.h"

#include <array>

namespace scalebench::workloads {

class BertEvaluator final : public Evaluator
{
public:
    void add(Backend& backend, Network& network, const Batch& batch) override;
    std::string partial() const override;
    Evaluation merge(std::span<const std::string> partials) const override;

private:
    /// Correct and counted words, then correct and counted sequences.
    std::array<int64_t, 4> counts_{};
};

} // namespace scalebench::workloads
