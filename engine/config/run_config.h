// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// run.json (resources/protocol/run_folder.md) as plain values: the engine's only input. What one
// workload alone understands is its Recipe.

#include "engine/optim/optimizer_config.h"
#include "engine/optim/schedule.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scalebench {

namespace workloads {
class Recipe;
}

enum class DataSource { Generated, Files, Synthetic };
const char* dataSourceName(DataSource source);

struct DataConfig {
    DataSource source = DataSource::Generated;
    std::string path;
    int64_t trainSamples = 0;
    int64_t evalSamples = 0;
};

struct OptionsConfig {
    bool syncBn = false;
    double bucketMb = 4;
    bool overlap = false;
    int gradAccum = 1;
    std::string allReduce = "auto";
    bool shardOptimizer = false;
    bool bindThreads = true; ///< to cores of the host, while the run has its turn there
    bool asyncEval = false;
    bool packSequences = false;
    bool alignBatch = false;
    bool cudaGraphs = false;
    bool autotune = true;            ///< on a device: choose vendor algorithms by timing them
    double lossScale = 0;            ///< 0: none, -1: dynamic, else that factor
    int memoryLimitMb = 0;           ///< tensors per worker; 0: what the node has free
    int checkpointEvery = 0;         ///< epochs; 0: only when stopped
    double collectiveTimeoutS = 120; ///< 0: never
    int hotRows = 0;                 ///< of owned tables that every worker has, the most frequent
    int inputThreads = 0;            ///< that make batches; 0: as many as the node has to spare
};

/// Quality to be reached.
struct Target {
    std::string metric; ///< one of the workload's
    double value = 0;   ///< at least
};

enum class EvalUnit { Epochs, Steps, Samples };

/// When evaluations are due: after `first`, then every `every`; and at the end of the run.
struct EvalCadence {
    EvalUnit unit = EvalUnit::Epochs;
    int64_t every = 1;
    int64_t first = 1;

    /// Evaluations due in the first `n` epochs, steps or samples.
    int64_t upTo(int64_t n) const { return n < first ? 0 : 1 + (n - first) / every; }
    /// As MLPerf's rules ask of BERT: every 5 % of the samples that runs of this global batch B
    /// needed, floor(0.05 (230.23 B + 3,000,000) / 25,000) * 25,000 samples (training policies
    /// v2.0).
    static EvalCadence ofBert(int64_t globalBatch);
};

struct RunConfig {
    std::string study;
    std::string runId;
    std::string workload = "resnet";
    std::string scale;
    std::string model; ///< "resnet20"
    /// The workload's own settings; never null once parsed.
    std::shared_ptr<const workloads::Recipe> recipe;
    DataConfig data;
    std::string device = "cpu";
    std::string precision = "fp32";
    int nodes = 1;
    int workers = 1;
    int threadsPerWorker = 1;
    bool oversubscribed = false; ///< more workers than processors: a note for the results
    std::string batchPolicy = "strong";
    int64_t globalBatch = 128;
    OptimizerConfig optimizer;
    double labelSmoothing = 0;
    /// Without what counts steps: that follows from the lengths and the data.
    ScheduleConfig schedule;
    ScheduleLengths scheduleLengths;
    int epochs = 1;
    std::vector<Target> targets; ///< all must be met; empty: none
    EvalCadence evaluation;
    int64_t evalBatch = 0; ///< per worker; 0: as a micro-batch
    int64_t seed = 1;
    int repeat = 1;
    OptionsConfig options;

    int64_t localBatch() const { return globalBatch / workers; }
    int64_t microBatch() const { return localBatch() / options.gradAccum; }
    int64_t evalBatchSize() const { return evalBatch > 0 ? evalBatch : microBatch(); }
};

} // namespace scalebench
