// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A step as a recorded graph of the device (`--cuda-graphs`): hundreds of launches become one.
// Forward and backward, and the update where it needs no host. Only where batches of one shape mean
// the same work: one micro-batch, no host in the middle. Each shape that comes again has a record.

#include "engine/config/run_config.h"
#include "engine/nn/network.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
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

    /// Part of what is recorded: others make new records.
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
    std::size_t records() const { return records_.size(); }

    /// Steps of a shape before its record: plans are made and algorithms chosen in them.
    static constexpr int kEagerSteps = 2;
    /// Shapes on record; of more, those longest not seen go.
    static constexpr std::size_t kMostRecords = 96;

private:
    /// Of all tensors, axis by axis.
    using Shapes = std::vector<std::int64_t>;
    struct Record {
        Shapes shapes;
        Batch inputs; ///< in the device's memory, read by the record
        LossSums sums;
        std::unique_ptr<RecordedWork> work;
    };
    static Shapes shapesOf(const Batch& batch);
    bool isKnown(const Shapes& shapes);
    Record& recordOf(const Shapes& shapes, const Batch& batch, const Issue& issue);
    void record(Record& made, const Batch& batch, const Issue& issue);

    Backend& backend_;
    std::string note_;
    bool on_ = false, recordsOnly_ = false;
    std::map<Shapes, int> eagerSteps_;
    Constants constants_;
    std::list<Record> records_; ///< the latest used first
};

} // namespace scalebench::train
