// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// run.json (resources/protocol/run_folder.md) as plain values: the engine's only input.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::train {

struct ModelConfig {
    std::string name = "resnet20";
    int classes = 0;       ///< 0: as many as the data set has
    int imageSize = 32;    ///< resnet
    int vocabulary = 8192; ///< transformer: token ids
    int maxLength = 64;    ///< transformer: words of the longest sentence
    double dropout = 0.1;  ///< transformer
};

enum class DataSource { Generated, Files, Synthetic };
const char* dataSourceName(DataSource source);

struct DataConfig {
    DataSource source = DataSource::Generated;
    std::string path;
    int64_t trainSamples = 0;
    int64_t evalSamples = 0;
    int padCrop = 0;
    bool flip = false;
    bool randomResizedCrop = false;
};

struct OptimizerSettings {
    std::string name = "sgd"; ///< sgd, lars, adam, adamw, lamb
    double momentum = 0.9;
    bool nesterov = false;
    double weightDecay = 0;
    double beta1 = 0.9, beta2 = 0.999;
    std::optional<double> epsilon;  ///< the optimizer's own default
    std::optional<double> clipNorm; ///< largest global norm of the gradient; the optimizer's own
    double labelSmoothing = 0;
};

struct ScheduleSettings {
    std::string name = "constant";
    double baseLr = 0.1;
    double warmupEpochs = 0;
    double endLr = 0;
    std::vector<double> milestones; ///< epochs
    double gamma = 0.1;
    double power = 2;
};

struct OptionsConfig {
    bool syncBn = false;
    double bucketMb = 4;
    bool overlap = false;
    int gradAccum = 1;
    std::string allReduce = "auto";
    bool shardOptimizer = false;
    bool fusedOptimizer = true;
    bool asyncEval = false;
    bool packSequences = false;
    bool alignBatch = false;
    bool cudaGraphs = false;
    bool autotune = false;           ///< choose vendor algorithms by timing them
    double lossScale = 0;            ///< 0: none, -1: dynamic, else that factor
    int memoryLimitMb = 0;           ///< tensors per worker; 0: what the node has free
    int checkpointEvery = 0;         ///< epochs; 0: only when stopped
    double collectiveTimeoutS = 120; ///< 0: never
};

struct RunConfig {
    std::string study;
    std::string runId;
    std::string workload = "resnet";
    std::string scale;
    ModelConfig model;
    DataConfig data;
    std::string device = "cpu";
    std::string precision = "fp32";
    int nodes = 1;
    int workers = 1;
    int threadsPerWorker = 1;
    bool oversubscribed = false; ///< more workers than processors: a note for the results
    std::string batchPolicy = "strong";
    int64_t globalBatch = 128;
    OptimizerSettings optimizer;
    ScheduleSettings schedule;
    int epochs = 1;
    std::optional<double> target;
    int evalEvery = 1;
    int64_t seed = 1;
    int repeat = 1;
    OptionsConfig options;

    int64_t localBatch() const { return globalBatch / workers; }
    int64_t microBatch() const { return localBatch() / options.gradAccum; }
};

/// Parses and checks what can be checked without the machine. Throws InvalidArgument (`usage`,
/// `batch`) naming the key, what it holds and what is expected; unknown keys are refused.
RunConfig parseRunConfig(std::string_view json);
/// Reads `folder`/run.json. InvalidArgument (`usage`) when it is missing.
RunConfig loadRunConfig(const std::string& folder);

} // namespace scalebench::train
