// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of Trainer: what they share, and which file has which.

#include "engine/core/thread_waits.h"
#include "engine/data/batch_source.h"
#include "engine/data/prefetcher.h"
#include "engine/optim/schedule.h"
#include "engine/train/agreement.h"
#include "engine/train/async_evaluation.h"
#include "engine/train/heartbeat.h"
#include "engine/train/host_turn.h"
#include "engine/train/run_checkpoint.h"
#include "engine/train/step_report.h"
#include "engine/train/step_split.h"
#include "engine/train/trainer.h"
#include "engine/workloads/device_input.h"

#include <memory>
#include <optional>
#include <utility>

namespace scalebench::train {

struct Trainer::Impl {
    RunConfig config;
    dist::Communicator& comm;
    report::ResultsWriter* writer;
    const TrainerOptions options;
    std::optional<report::RunStream> stream;
    Activity activity;
    std::optional<Heartbeat> heartbeat;
    HostTurn turn;
    std::string binding = "off";      ///< what `switches` tells of bind_threads
    std::optional<ThreadWaits> waits; ///< without a GPU

    // Set by initialize().
    std::unique_ptr<workloads::Workload> workload;
    workloads::DataSizes sizes;
    DataIdentity identity;              ///< where checkpoints are written
    std::unique_ptr<Backend> rehearsed; ///< until the replica takes it
    std::unique_ptr<Replica> replica;
    ScheduleConfig schedule;

    // Data; set by openData().
    CachingAllocator batchMemory;
    int64_t stepsPerEpoch = 0;
    int64_t lastStepSamples = 0;
    int inputThreads = 1;
    std::unique_ptr<data::Prefetcher> prefetcher;
    std::unique_ptr<AsyncEvaluation> background;

    /// A step whose update is issued.
    struct StepDone {
        int64_t step = 0, samples = 0; ///< so far, with it
        double learningRate = 0, lossScale = 0;
        StepSplit split;
    };

    // Progress of the run.
    RunPosition at;
    int epoch = 0;
    bool stopAgreed = false, targetReached = false;
    std::optional<Failure> pendingFailure; ///< of this worker, to be told to the others
    StepDone lossUnread;                   ///< step 0: none
    StepSplit sinceRecord;
    SteadyClock::time_point lastRecord{};
    int64_t bytesReported = 0, evalBytes = 0;
    double evalExposedMs = 0; ///< of the running epoch
    HostLoadWatch hostLoads;
    Outcome outcome;

    Impl(const RunConfig& c, dist::Communicator& communicator, report::ResultsWriter* w,
         TrainerOptions o)
        : config(c), comm(communicator), writer(w), options(std::move(o)), turn(options.turn)
    {
        if (writer != nullptr) {
            stream.emplace(*writer);
            heartbeat.emplace(*writer, activity, options.gpuTelemetry);
        }
    }

    // ---- Small helpers

    bool stopRequested() const
    {
        return options.stopRequested != nullptr && *options.stopRequested;
    }

    void noteFailure()
    {
        if (!pendingFailure)
            pendingFailure = describeFailure(std::current_exception(), comm);
    }

    /// Writes records on rank 0; a failure to write is told to the others at the next agreement.
    template <typename Body>
    void emit(Body body)
    {
        if (!stream)
            return;
        try {
            heartbeat->check();
            body(*stream);
        } catch (...) {
            noteFailure();
        }
    }

    void agreeOnPending()
    {
        const std::optional<Failure> mine = pendingFailure;
        agree(comm, mine);
    }

    [[noreturn]] void stopWhileLoading() const { throw Error("stopped", "stopped by request"); }

    // ---- Before the clock starts: trainer_setup.cpp

    void checkMachine() const;
    /// Before any clock of the run starts.
    void waitForTurn();
    void bindThreads();
    NetworkFactory networkFactory();
    void initialize();
    /// Collective: makes generated data, before the clock, or the first run of a study would pay
    /// for all.
    void prepareNodes();
    /// Collective. What is wrong with the data is told by whoever reads it for the run; a disk that
    /// keeps nothing costs time only.
    void prepareForAll();
    /// The clock starts before the first byte of the data, as it was prepared, is read.
    bool buildsOnClock() const { return workload->measureReadsData() && !options.resume; }
    /// Collective: measures the data and builds the network for it.
    void build();
    /// Of this worker, in a step.
    int64_t microBatch() const;
    /// As warmUp(), where the network is not yet built: rehearse() on the backend of the replica to
    /// come. Not collective.
    void rehearseAlone();
    /// Libraries load, algorithms are chosen and steps recorded when they are first needed. On a
    /// device that takes seconds, which are not training's.
    void warmUp();
    void startClock();

    // ---- Data: trainer_setup.cpp

    void noteLoading(int64_t done, int64_t total);
    void openData();

    // ---- One step: trainer_steps.cpp

    void trainStep(StepSplit& epochSplit);
    /// Its loss is known on all workers.
    void account(StepDone& done, double lossSum, StepSplit& epochSplit);
    /// Collective: before anything else happens than the next step.
    void settle(StepSplit& epochSplit);
    void recordStep(const StepDone& done);

    // ---- Evaluation: trainer_evaluation.cpp

    /// The evaluation that was due or going on when the checkpoint was written. A run that has
    /// nothing left to train needs its last one for the verdict, whatever the checkpoint says.
    void resumeEvaluation();
    /// Collective: the metrics over all workers, or the failure of one. Takes over a stop request.
    void concludeEvaluation(double ofEpoch, int64_t samplesSeen, const workloads::Evaluator* mine);
    /// How many epochs are trained.
    double epochsTrained() const;
    /// After the step that was just done.
    bool evaluationIsDue() const;
    bool evaluationIsDueAfterEpoch() const;
    /// Collective.
    void evaluate();
    void startEvaluation(double ofEpoch);
    void evaluateHere(double ofEpoch);
    /// Collective; waits where this worker is not ready yet.
    void collectBackgroundEvaluation();

    // ---- Epochs: trainer.cpp

    void reportEpoch(const StepSplit& split, double trainMs, double trainLoss);
    bool mayGoOn() const { return !stopAgreed && !targetReached; }
    void noteTraining();
    void trainEpoch();
    /// Collective.
    void save();
    /// Collective.
    void collectLastEvaluation();
    /// Stopped: what was trained since the last checkpoint is kept.
    void saveStopped();

    // ---- The end: trainer.cpp

    void conclude();
    void runAll();
};

} // namespace scalebench::train
