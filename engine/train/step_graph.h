// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A step as a recorded graph of the device (`--cuda-graphs`): hundreds of launches become one.
// Forward and backward, and the update where it needs no host. Only where every step issues the
// same work on the same shapes: one micro-batch, no host in the middle.

#include "engine/config/run_config.h"
#include "engine/nn/network.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::train {

class StepGraph
{
public:
    /// `workers`: of the run; `method`: how they sum gradients.
    StepGraph(Backend& backend, const Network& network, const RunConfig& config, int workers,
              const std::string& method);

    /// "on", "off" or "off: <why>", for the setup record.
    const std::string& note() const { return note_; }
    bool on() const { return on_; }

    /// Part of what is recorded: others make a new record.
    struct Constants {
        float lossScale = 1;
        bool updates = false; ///< the optimizer is in it
        bool operator==(const Constants&) const = default;
    };
    /// What `issue` does to a batch, the whole of a step's forward and backward: by calling it, or
    /// by replaying what it issued before on a batch of the same shapes.
    using Issue = std::function<LossSums(const Batch& batch)>;
    LossSums run(const Batch& batch, const Constants& constants, const Issue& issue);
    /// Whether run() only recorded, or failed to replay, what it was given last: where it threw,
    /// nothing of the step has reached the device.
    bool recordsOnly() const { return recordsOnly_; }

private:
    bool matches(const Batch& batch, const Constants& constants) const;
    void record(const Batch& batch, const Constants& constants, const Issue& issue);

    Backend& backend_;
    std::string note_;
    bool on_ = false, recordsOnly_ = false;
    int eagerSteps_ = 0;
    Constants constants_;
    Batch inputs_; ///< in the device's memory, read by the record
    LossSums sums_;
    std::unique_ptr<RecordedWork> recorded_;
};

} // namespace scalebench::train
