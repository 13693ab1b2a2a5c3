// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The metric of classification: how many of the labels the network finds (`correct` of `counted` in
// its loss). Exact for any number of workers.

#include "engine/workloads/evaluator.h"

namespace scalebench::workloads {

class CountedEvaluator final : public Evaluator
{
public:
    explicit CountedEvaluator(std::string metric) : metric_(std::move(metric)) {}

    void add(Backend& backend, Network& network, const Batch& batch) override;
    std::string partial() const override;
    Evaluation merge(std::span<const std::string> partials) const override;

private:
    std::string metric_;
    Evaluation::Counts counts_;
};

} // namespace scalebench::workloads
