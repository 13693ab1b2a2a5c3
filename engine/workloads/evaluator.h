// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The quality of a network, measured by many workers and counted once.

#include "engine/backend/backend.h"
#include "engine/nn/network.h"
#include "engine/tensor/batch.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scalebench::workloads {

struct MetricValue {
    std::string name; ///< "top1_accuracy"
    double value = 0;
};

/// The result of one evaluation over all workers.
struct Evaluation {
    std::vector<MetricValue> metrics; ///< in the order of the workload's table; the first leads
    /// Where the leading metric is a share of things counted.
    struct Counts {
        int64_t correct = 0, total = 0;
    };
    std::optional<Counts> counts;

    double leading() const { return metrics.at(0).value; }
};

/// One evaluation: made anew for each, used by one thread, the same object whether training waits
/// for it or goes on beside it.
class Evaluator
{
public:
    virtual ~Evaluator() = default;
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    /// Looks at a batch of the evaluation source.
    virtual void add(Backend& backend, Network& network, const Batch& batch) = 0;
    /// What this worker has seen so far, for merge().
    virtual std::string partial() const = 0;
    /// The metrics of what all workers have seen, by rank; the same on every worker, and for any
    /// number of workers the same but for the rounding that the metric's header names.
    virtual Evaluation merge(std::span<const std::string> partials) const = 0;
    /// For a person to look at: the text of pictures.json (engine/detection/shown_pictures.h) from
    /// what all workers have seen; empty where there is nothing to show. `epoch`: trained so far.
    virtual std::string pictures(std::span<const std::string> partials, double epoch) const
    {
        (void)partials, (void)epoch;
        return {};
    }

protected:
    Evaluator() = default;
};

} // namespace scalebench::workloads
