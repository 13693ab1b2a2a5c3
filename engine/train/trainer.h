// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One training run from an agreed configuration to run_stop. Every worker runs the same Trainer;
// rank 0 also writes the stream.
//
// The clock of the MLPerf rules: building the network, and counting the samples, happen before
// run_start; generating, reading and decoding pictures happen after it and count as time to train.

#include "engine/config/run_config.h"
#include "engine/core/checkpoint.h"
#include "engine/dist/communicator.h"
#include "engine/nn/network.h"
#include "engine/report/results_writer.h"
#include "engine/train/heartbeat.h"
#include "engine/train/replica.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::train {

struct Outcome {
    bool success = false;          ///< target reached, or all epochs done without a target
    std::string reason;            ///< as in run_stop
    int epochs = 0;                ///< begun
    double lastQuality = 0;        ///< leading metric of the last evaluation
    std::vector<double> epochLoss; ///< mean training loss per epoch
    std::vector<double> epochQuality;
    std::vector<float> parameters; ///< final values, only when TrainerOptions::keepParameters
};

struct TrainerOptions {
    /// Where checkpoints go; empty: none are written.
    std::string checkpointFolder;
    /// Where rank 0 writes what Evaluator::pictures() gives, again at each evaluation; empty: none.
    std::string picturesFile;
    /// Resume: true on every worker, and the checkpoint on rank 0, whose writer was made by
    /// ResultsWriter::resume().
    bool resume = false;
    const Checkpoint* checkpoint = nullptr;
    /// Told in a warning record (which checkpoint was taken and why, or that none could be, and the
    /// run begins anew); rank 0.
    std::string resumeNote;
    /// Set by a signal handler (or a test): every worker stops after the step in which one saw it.
    const std::atomic<bool>* stopRequested = nullptr;
    bool keepParameters = false;
    int64_t maxSteps = 0; ///< 0: no limit (tests)
    /// Who takes turns with other runs on the same hosts (HostTurn); empty: nobody.
    std::string turn;
    /// Where it computes; the default is the processors.
    DeviceFactory devices = cpuDevices();
    /// What the device of rank 0 is doing, for its stream; may be empty.
    GpuTelemetry gpuTelemetry;
    /// Builds another network than the configured one (tests).
    NetworkFactory makeNetwork;
};

class Trainer
{
public:
    /// `writer` is null except on rank 0 (and may be null there too: nothing is written then).
    Trainer(const RunConfig& config, dist::Communicator& communicator,
            report::ResultsWriter* writer, TrainerOptions options = {});
    ~Trainer();

    /// Collective. Throws AgreedError on every worker when one failed. After a failure the caller
    /// writes the error record and run_stop; otherwise run() has written run_stop.
    Outcome run();

    /// For the closing record after a failure.
    int epoch() const;
    int64_t samplesSeen() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace scalebench::train
