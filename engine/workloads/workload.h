// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What one workload brings to the training loop: its settings, sizes, network, batches and metrics.
// The loop itself (engine/train) knows no workload.
//
// To add one: a folder here with a Recipe and a Workload, and a line in registry.cpp. The sources
// of engine/data/sampled_source.h and CountedEvaluator are enough for most.

#include "engine/config/run_config.h"
#include "engine/core/fingerprint.h"
#include "engine/data/batch_source.h"
#include "engine/data/load_progress.h"
#include "engine/data/sampler.h"
#include "engine/nn/network.h"
#include "engine/workloads/evaluator.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace scalebench::workloads {

/// Known before any sample is read.
struct DataSizes {
    int64_t trainSamples = 0;
    int64_t evalSamples = 0;
    int64_t trainTokens = 0; ///< of an epoch, where the global batch counts tokens; else 0

    /// What the global batch counts, in an epoch.
    int64_t batchUnits() const { return trainTokens > 0 ? trainTokens : trainSamples; }
};

using data::LoadProgress;
using data::tickOf;

struct OpenContext {
    data::WorkerSlice slice;
    Allocator& batchMemory; ///< for the tensors of batches; outlives the workload
    int threads = 1;        ///< that may be used while opening
    LoadProgress progress;
};

class Workload
{
public:
    virtual ~Workload() = default;
    Workload(const Workload&) = delete;
    Workload& operator=(const Workload&) = delete;

    /// Whether measure() reads the data: then it happens on the clock. Else sizes and network are
    /// known before it starts.
    virtual bool measureReadsData() const = 0;
    /// Before prepareForAll() and measure(): `progress` is told while they read.
    virtual void watchLoading(const LoadProgress& progress) { (void)progress; }
    /// Before anything else: this worker's place, for networks that lie in parts on the workers.
    virtual void join(data::WorkerSlice slice) { (void)slice; }
    /// Counts samples. InvalidArgument (`data_*`, `batch`, `usage`).
    virtual DataSizes measure() = 0;
    /// Where measureReadsData(), on one worker of each host before the clock: makes once, and keeps
    /// for later runs, what measure() then reads (MLPerf's rules count only the reading). Throws
    /// Error as measure(), `not_writable` and `disk_full`; nothing that is kept is needed.
    virtual void prepareForAll(int threads) { (void)threads; }
    /// After measure(). Initial weights from the run's seed, the same on every worker.
    virtual std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) = 0;
    /// On one worker of each node, before the clock: makes generated data that is missing.
    virtual void prepareNode(int threads, const LoadProgress& progress)
    {
        (void)threads, (void)progress;
    }
    /// On every worker, on the clock: opens the data.
    virtual void open(const OpenContext& context) = 0;
    /// Read from storage by measure() and open(); batches count their own.
    virtual int64_t bytesRead() const { return 0; }
    /// What a person would call the data by, name and value: {"classes", "17"}; after measure().
    virtual std::vector<std::pair<std::string, std::string>> dataFacts() const { return {}; }
    /// Instead of open(): reads all that a run may read later, calls `damaged` with a sentence for
    /// each file that it could not use and returns the bytes read. For data that measure() has read
    /// whole there is nothing to do.
    virtual int64_t examine(int threads, const std::function<void(const std::string&)>& damaged)
    {
        (void)threads, (void)damaged;
        return bytesRead();
    }
    /// Tells what turns the data into the network's numbers (a vocabulary) from any other such
    /// thing; empty where there is none. After measure(). A run resumes with the same one only.
    virtual std::string encoding() const { return {}; }
    /// Of what the data holds, wherever it lies: a run resumes with the same data only. After
    /// measure().
    virtual Fingerprint fingerprint() const { return {}; }
    /// Before measure(), for a check: what is wrong with single records is told there and left out,
    /// instead of ending the reading.
    virtual void tellProblems(const std::function<void(const std::string&)>& problem)
    {
        (void)problem;
    }
    /// What was found in the data that a person should know; after measure().
    virtual std::vector<std::string> remarks() const { return {}; }

    /// After open().
    virtual const data::BatchSource& training() const = 0;
    /// Epoch 0 of it, whatever epoch is evaluated.
    virtual const data::BatchSource& evaluation() const = 0;
    virtual std::unique_ptr<Evaluator> makeEvaluator() const = 0;

    /// Factor that makes the sum of the losses of a global batch their mean. Constant over a run,
    /// so that k workers do the same update as one.
    virtual double lossScale(int64_t globalBatch) const { return 1.0 / double(globalBatch); }
    /// Why `--pack-sequences` does nothing here, or empty where it works.
    virtual std::string packingNote() const { return "samples have one size"; }

protected:
    Workload() = default;
};

/// A workload's own settings ("model", "data.*" of run.json), checked.
class Recipe
{
public:
    virtual ~Recipe() = default;
    /// `config` holds this recipe and outlives the workload.
    virtual std::unique_ptr<Workload> make(const RunConfig& config) const = 0;
};

} // namespace scalebench::workloads
