// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The records of one training run, by name, in the order that the protocol and the public MLPerf
// checker want. Rank 0 has one; it writes what it is told and keeps no state of the training.

#include "engine/core/input_times.h"
#include "engine/report/host_load.h"
#include "engine/report/results_writer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench::report {

struct RunHeader {
    std::string engineVersion;
    std::string runId;
    std::string study;
    std::string benchmark;   ///< workload id
    std::string platform;    ///< "1x AMD EPYC, 2 CPU workers"
    std::string mlperf = {}; ///< MLPerf's name of the workload, where it is another
};

struct Hyperparameters {
    int64_t seed = 0;
    int64_t globalBatch = 0;
    std::string optimizer;
    double baseLearningRate = 0;
    double weightDecay = 0;
    double warmupEpochs = 0;
    int gradAccumulation = 1;
    int64_t trainSamples = 0;
    int64_t evalSamples = 0;
    std::string dataSource; ///< generated, synthetic or files
};

struct WorkerInfo {
    int rank = 0;
    int localRank = 0;
    int node = 0;
    std::string host;
    int64_t pid = 0;
    std::string device;
    std::string deviceName;
    int threads = 1;
    std::string cpus; ///< "0-1"
};

/// Means over the steps since the last record.
struct StepRecord {
    int64_t step = 0;
    double epoch = 0;
    int64_t samples = 0;
    double loss = 0;
    double learningRate = 0;
    double samplesPerSecond = 0;
    double stepMs = 0, computeMs = 0, commMs = 0, inputMs = 0, otherMs = 0;
    double rowsMs = 0; ///< of commMs: rows of owned tables
    InputTimes made;   ///< of the threads that made a step's batches, beside the steps
};

/// One evaluation.
struct EvalRecord {
    double value = 0; ///< of the leading metric
    double outOf = 1; ///< the highest value it can have; MLPerf's logs give shares of 1
    /// Where it is a share of things counted; total < 0: it is not.
    int64_t correct = 0, total = -1;
    Json metrics; ///< all by name, where there are several; else null
    Json mlperf;  ///< what stands in place of the value, by MLPerf's names; mostly null
};

struct RankSplit {
    int rank = 0;
    double stepMs = 0, computeMs = 0, commMs = 0, inputMs = 0, otherMs = 0, evalMs = 0;
    double rowsMs = 0; ///< of commMs
    InputTimes made = {};
};

struct EpochSplit {
    int epoch = 0;
    std::vector<RankSplit> ranks;
    std::vector<HostLoad> hosts; ///< empty where the hosts tell nothing
    int64_t bytesRead = 0;
    double evalS = 0;
    double trainS = 0;
    double trainLoss = 0;
};

class RunStream
{
public:
    explicit RunStream(ResultsWriter& writer) : writer_(writer) {}

    void header(const RunHeader& header);
    void initStart();
    void hyperparameters(const Hyperparameters& values);
    void worker(const WorkerInfo& info);
    void setup(const Json& value);
    void initStop();
    void runStart();

    void epochStart(int epoch);
    void epochStop(int epoch, int64_t samplesSeen);
    void step(const StepRecord& record);
    /// Of evaluations: how many epochs are trained, with a fraction within one.
    void evalStart(double epoch);
    void evalAccuracy(double epoch, int64_t samplesSeen, const EvalRecord& record);
    void evalStop(double epoch);
    void throughput(int epoch, int64_t step, double samplesPerSecond);
    void epochSplit(const EpochSplit& split);

    /// After a checkpoint has been written.
    void checkpoint(int epoch, int64_t step);
    /// The run goes on from a checkpoint of `step`; pauseMs lie between its record and this one.
    void resume(int epoch, int64_t step, int64_t pauseMs);

    void progress(const std::string& phase, int64_t done, int64_t total);
    /// What rank 0's GPU is doing.
    void gpu(const Json& value);
    void warning(const std::string& code, const std::string& message);
    void error(const std::string& code, const std::string& message, int rank,
               const std::string& host);
    /// status: success or aborted; reason: see the protocol. The last record: later ones are
    /// dropped.
    void runStop(const std::string& status, const std::string& reason, int epoch,
                 int64_t samplesSeen);

private:
    void point(const std::string& key, const Json& value, Json metadata = Json::object());
    void start(const std::string& key, Json metadata = Json::object());
    void end(const std::string& key, Json metadata = Json::object());
    void own(const std::string& key, const Json& value, Json metadata = Json::object());

    ResultsWriter& writer_;
};

} // namespace scalebench::report
