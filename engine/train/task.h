// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What one workload brings to the training loop: sizes, network, batches, metric. The loop itself
// (trainer.h) knows no workload.

#include "engine/data/pipeline.h"
#include "engine/dist/communicator.h"
#include "engine/nn/network.h"
#include "engine/train/run_config.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace scalebench::train {

/// Known before any sample is read.
struct TaskSizes {
    int64_t trainSamples = 0;
    int64_t evalSamples = 0;
};

/// May throw to stop.
using LoadProgress = std::function<void(int64_t done, int64_t total)>;

class Task
{
public:
    virtual ~Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    /// Counts samples without reading them. InvalidArgument (`data_*`, `batch`, `usage`).
    virtual TaskSizes measure() = 0;
    /// After measure(). Initial weights from the run's seed, the same on every worker.
    virtual std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) = 0;
    /// Collective, on the clock: opens or generates the data. Throws AgreedError.
    virtual void open(dist::Communicator& communicator, const LoadProgress& progress) = 0;
    /// Read from storage by open(); batches count their own.
    virtual int64_t bytesRead() const = 0;

    /// Fills a micro-batch. Const calls are thread-safe. `epoch` from 0, for augmentation.
    virtual void fillTrain(std::span<const int64_t> samples, int64_t epoch,
                           data::Batch& batch) const = 0;
    /// Samples behind the first `real` ones only fill the batch up and must not count.
    virtual void fillEval(std::span<const int64_t> samples, int64_t real,
                          data::Batch& batch) const = 0;
    /// Views of a filled batch as the network wants them, valid as long as it is.
    virtual scalebench::Batch tensors(const data::Batch& batch) const = 0;

    /// Factor that makes the sum of the losses of a global batch their mean. Constant over a run,
    /// so that k workers do the same update as one.
    virtual double lossScale(int64_t globalBatch) const = 0;
    /// "top1_accuracy": correct / counted of the loss's result.
    virtual const char* metric() const = 0;
    /// Why `--pack-sequences` does nothing here, or empty where it works.
    virtual std::string packingNote() const = 0;

protected:
    Task() = default;
};

/// The task of config.workload.
std::unique_ptr<Task> makeTask(const RunConfig& config);

} // namespace scalebench::train
