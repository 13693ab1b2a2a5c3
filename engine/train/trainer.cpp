// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/trainer.h"

#include "engine/backend/host_copy.h"
#include "engine/data/batch_source.h"
#include "engine/data/prefetcher.h"
#include "engine/data/sampler.h"
#include "engine/optim/schedule.h"
#include "engine/report/system_info.h"
#include "engine/train/agreement.h"
#include "engine/train/align_batch.h"
#include "engine/train/async_evaluation.h"
#include "engine/train/evaluation.h"
#include "engine/train/heartbeat.h"
#include "engine/train/host_turn.h"
#include "engine/train/run_checkpoint.h"
#include "engine/train/run_setup.h"
#include "engine/train/step_report.h"
#include "engine/train/step_split.h"
#include "engine/workloads/device_input.h"
#include "engine/workloads/registry.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace scalebench::train {
namespace {

/// Batches are made beside the computation: by what the node has to spare, one thread at least.
int inputThreadsOf(const RunConfig& config, const dist::Communicator& communicator)
{
    if (config.options.inputThreads > 0)
        return config.options.inputThreads;
    const int share = report::allowedCpuCount() / std::max(1, communicator.localSize());
    return std::clamp(share - config.threadsPerWorker, 1, 16);
}

} // namespace

struct Trainer::Impl {
    RunConfig config;
    dist::Communicator& comm;
    report::ResultsWriter* writer;
    const TrainerOptions options;
    std::optional<report::RunStream> stream;
    Activity activity;
    std::optional<Heartbeat> heartbeat;
    HostTurn turn;

    // Set by initialize().
    std::unique_ptr<workloads::Workload> workload;
    workloads::DataSizes sizes;
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

    // ---- Before the clock starts

    void checkMachine() const
    {
        if (config.workers != comm.size())
            throw InvalidArgument("run.json asks for " + std::to_string(config.workers) +
                                      " workers, but " + std::to_string(comm.size()) +
                                      " were started (mpirun -np " +
                                      std::to_string(config.workers) + ")",
                                  "workers");
        if (config.precision == "fp16" && config.device == "cpu")
            throw Unsupported("fp16 is not available on the CPU (oneDNN has no fp16 training); use "
                              "bf16 or fp32",
                              "precision_unavailable");
    }

    /// Before any clock of the run starts.
    void waitForTurn()
    {
        activity.set("waiting", 0);
        std::string told;
        const bool taken = takeTurns(
            comm, turn,
            [&](const std::string& text) {
                ++activity.done;
                if (std::exchange(told, text) != text)
                    emit([&](report::RunStream& out) { out.warning("waiting", text); });
            },
            [this] { return stopRequested(); });
        agreeOnPending();
        if (!taken)
            doTogether(comm, [this] { stopWhileLoading(); });
        activity.set("init", 0);
    }

    NetworkFactory networkFactory()
    {
        if (options.makeNetwork)
            return options.makeNetwork;
        return [this](Backend& backend, const ArenaAllocator& arena) {
            return workload->makeNetwork(backend, arena);
        };
    }

    void initialize()
    {
        comm.setTimeout(config.options.collectiveTimeoutS);
        doTogether(comm, [&] {
            checkMachine();
            if (stream && !options.resume)
                stream->header(runHeader(config, comm));
        });
        if (!options.turn.empty())
            waitForTurn();
        doTogether(comm, [&] {
            if (stream && !options.resume)
                stream->initStart();
            workload = config.recipe->make(config);
            workload->join({comm.rank(), comm.size()});
        });
        const std::vector<report::WorkerInfo> workers =
            introduceWorkers(config, options.devices.deviceName, comm);
        emit([&](report::RunStream& out) {
            for (const report::WorkerInfo& worker : workers)
                out.worker(worker);
        });
        if (workload->measureReadsData())
            prepareForAll();
        if (!buildsOnClock())
            build();
        agreeOnPending();
        if (!options.resume)
            emit([](report::RunStream& out) { out.initStop(); });
    }

    /// Collective. What is wrong with the data is told by whoever reads it for the run; a disk that
    /// keeps nothing costs time only.
    void prepareForAll()
    {
        activity.set("data", 0);
        comm.setTimeout(0); // it may take one worker long
        std::string notKept;
        doTogether(comm, [&] {
            try {
                if (comm.localRank() == 0)
                    workload->prepareForAll(report::allowedCpuCount());
            } catch (const Error& e) {
                if (e.code() == "not_writable" || e.code() == "disk_full")
                    notKept = e.what();
            }
        });
        comm.setTimeout(config.options.collectiveTimeoutS);
        if (!notKept.empty())
            emit([&](report::RunStream& out) { out.warning("data", notKept); });
    }

    /// The clock starts before the first byte of the data, as it was prepared, is read.
    bool buildsOnClock() const { return workload->measureReadsData() && !options.resume; }

    /// Collective: measures the data and builds the network for it.
    void build()
    {
        const int64_t wantedBatch = config.globalBatch;
        if (workload->measureReadsData()) {
            activity.set("data", 0);
            comm.setTimeout(0); // reading may take one worker long
            prepareNodes();
        }
        doTogether(comm, [&] {
            sizes = workload->measure();
            if (config.options.alignBatch)
                config.globalBatch =
                    alignedBatch(sizes.batchUnits(), config.globalBatch,
                                 int64_t{config.workers} * config.options.gradAccum);
        });
        comm.setTimeout(config.options.collectiveTimeoutS);
        // Not doTogether(): building is collective inside (the shared arena). What can fail there
        // fails on every worker alike.
        try {
            replica = std::make_unique<Replica>(config, comm, options.devices, networkFactory());
            schedule = config.schedule;
            inputThreads = inputThreadsOf(config, comm);
            setLengths(schedule, config.scheduleLengths, config.epochs,
                       sizes.batchUnits() / config.globalBatch);
            validate(schedule);
        } catch (...) {
            noteFailure();
        }
        agreeOnPending();
        if (options.resume)
            at = restoreRun(options.checkpoint, config, workload->encoding(), *replica, comm);
        emit([&](report::RunStream& out) {
            if (!options.resume)
                out.hyperparameters(hyperparameters(config, sizes));
            for (const std::string& remark : workload->remarks())
                out.warning("data", remark);
            report::Json setup = setupRecord(config, *replica, *workload, sizes, comm, wantedBatch);
            setup["input_threads"] = inputThreads;
            out.setup(setup);
        });
        agreeOnPending();
        if (!buildsOnClock())
            warmUp();
    }

    workloads::DeviceInput* deviceInput() const
    {
        return dynamic_cast<workloads::DeviceInput*>(workload.get());
    }

    /// Libraries load, algorithms are chosen and steps recorded when they are first needed. On a
    /// device that takes seconds, which are not training's.
    void warmUp()
    {
        const workloads::DeviceInput* const input = deviceInput();
        if (config.device == "cpu" || input == nullptr)
            return;
        const auto [first, samples] = data::microBatchRange(
            0, config.globalBatch, config.options.gradAccum, {comm.rank(), comm.size()});
        const Batch batch = input->warmUpBatch(samples, batchMemory);
        activity.set("init", 0);
        replica->warmUp(batch, workload->lossScale(config.globalBatch), pendingFailure);
        agreeOnPending();
    }

    void startClock()
    {
        hostLoads.begin();
        if (!options.resume) {
            emit([](report::RunStream& out) { out.runStart(); });
            if (buildsOnClock())
                build();
            return;
        }
        emit([&](report::RunStream& out) {
            using namespace std::chrono;
            const int64_t now =
                duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
            if (!options.resumeNote.empty())
                out.warning("checkpoint", options.resumeNote);
            out.resume(at.epoch, at.step, now - streamPosition(*options.checkpoint).timeMs);
        });
    }

    // ---- Data

    void noteLoading(int64_t done, int64_t total)
    {
        activity.done = done;
        activity.total = total;
        if (stopRequested())
            stopWhileLoading();
    }

    /// Collective.
    void prepareNodes()
    {
        doTogether(comm, [&] {
            if (comm.localRank() == 0)
                workload->prepareNode(
                    report::allowedCpuCount(),
                    [this](int64_t done, int64_t total) { noteLoading(done, total); });
        });
    }

    void openData()
    {
        activity.set("data", sizes.trainSamples + sizes.evalSamples);
        comm.setTimeout(0); // generating and reading may take one worker long
        if (!workload->measureReadsData())
            prepareNodes();
        if (auto* input = deviceInput(); input != nullptr && replica->uploadsAhead())
            input->leavePicturesRaw();
        doTogether(comm, [&] {
            const int share = report::allowedCpuCount() / std::max(1, comm.localSize());
            workload->open({{comm.rank(), comm.size()},
                            batchMemory,
                            std::max(config.threadsPerWorker, share),
                            [this](int64_t done, int64_t total) { noteLoading(done, total); }});
        });
        comm.setTimeout(config.options.collectiveTimeoutS);
        stepsPerEpoch = workload->training().batches(0) / config.options.gradAccum;
        const data::BatchPosition first{at.epoch - 1, (at.step - stepsPerEpoch * (at.epoch - 1)) *
                                                          config.options.gradAccum};
        prefetcher =
            std::make_unique<data::Prefetcher>(workload->training(), first, config.epochs - 1,
                                               inputThreads, 3, replica->keptBatches());
        if (config.options.asyncEval)
            background = std::make_unique<AsyncEvaluation>(
                *workload, options.devices.makeBackend,
                [this](Backend& backend) { return networkFactory()(backend, {}); },
                config.threadsPerWorker, inputThreads);
    }

    /// The evaluation that was due or going on when the checkpoint was written. A run that has
    /// nothing left to train needs its last one for the verdict, whatever the checkpoint says.
    void resumeEvaluation()
    {
        double owed = std::exchange(at.pendingEval, 0.0);
        if (owed == 0 && options.resume && at.epoch > config.epochs)
            owed = config.epochs;
        if (owed == 0)
            return;
        epoch = std::max(1, int(owed));
        startEvaluation(owed);
    }

    // ---- One step

    void trainStep(StepSplit& epochSplit)
    {
        const auto start = SteadyClock::now();
        Replica::Step step;
        step.number = at.step;
        step.lossScale = workload->lossScale(config.globalBatch);
        step.mine.stop = stopRequested();
        step.mine.ready = background && background->ready() ? 1 : 0;
        const double learningRate = learningRateAt(schedule, at.step);
        replica->trainStep(step, learningRate, *prefetcher, pendingFailure);
        if (step.sum.failed)
            agreeOnPending();
        ++at.step;
        activity.done = at.step;
        lastStepSamples = step.sum.samples;
        at.samples += lastStepSamples;
        at.midEpoch = true;
        stopAgreed = step.sum.stop;
        step.split.total = msSince(start);
        step.split.steps = 1;
        step.split.samples = step.sum.samples;
        StepDone done{at.step, at.samples, learningRate, step.lossScale, step.split};
        if (replica->lossIsLate())
            std::swap(done, lossUnread); // the loss is that of the step before
        if (done.step > 0)
            account(done, step.sum.lossSum, epochSplit);
        if (step.sum.ready == comm.size()) {
            settle(epochSplit);
            collectBackgroundEvaluation();
        }
    }

    /// Its loss is known on all workers.
    void account(StepDone& done, double lossSum, StepSplit& epochSplit)
    {
        at.epochLossSum += lossSum * done.lossScale;
        ++at.epochSteps;
        done.split.lossSum = lossSum * done.lossScale;
        epochSplit.add(done.split);
        sinceRecord.add(done.split);
        recordStep(done);
    }

    /// Collective: before anything else happens than the next step.
    void settle(StepSplit& epochSplit)
    {
        StepDone done = std::exchange(lossUnread, {});
        if (done.step == 0)
            return;
        const auto start = SteadyClock::now();
        Replica::Step last;
        replica->readLoss(last, pendingFailure);
        if (last.sum.failed)
            agreeOnPending();
        done.split.compute += last.split.compute;
        done.split.comm += last.split.comm;
        done.split.total += msSince(start);
        account(done, last.sum.lossSum, epochSplit);
    }

    void recordStep(const StepDone& done)
    {
        const double passed = msSince(lastRecord);
        if (!stream || (done.step > 1 && passed < 250.0))
            return;
        report::StepRecord record = stepRecord(sinceRecord);
        record.step = done.step;
        record.epoch = double(done.step) / double(stepsPerEpoch);
        record.samples = done.samples;
        record.learningRate = done.learningRate;
        emit([&](report::RunStream& out) { out.step(record); });
        sinceRecord = {};
        lastRecord = SteadyClock::now();
    }

    // ---- Evaluation

    /// Collective: the metrics over all workers, or the failure of one. Takes over a stop request.
    void concludeEvaluation(double ofEpoch, int64_t samplesSeen, const workloads::Evaluator* mine)
    {
        double flags[2] = {stopRequested() ? 1.0 : 0.0, pendingFailure ? 1.0 : 0.0};
        comm.allReduceSum(std::span<double>(flags));
        if (flags[1] > 0)
            agreeOnPending();
        if (flags[0] > 0)
            stopAgreed = true;
        if (stopAgreed && !background) { // cut short: owed to whoever resumes
            at.pendingEval = ofEpoch;
            return;
        }
        const std::vector<std::string> partials = comm.allGather(mine->partial());
        const workloads::Evaluation result = mine->merge(partials);
        outcome.lastQuality = result.leading();
        outcome.epochQuality.push_back(outcome.lastQuality);
        targetReached = meetsTargets(config, result);
        const auto metrics = workloads::findWorkload(config.workload).metrics;
        emit([&](report::RunStream& out) {
            out.evalAccuracy(ofEpoch, samplesSeen, evalRecord(result, metrics));
            out.evalStop(ofEpoch);
        });
        if (comm.rank() == 0 && !options.picturesFile.empty())
            emit([&](report::RunStream&) {
                if (const std::string text = mine->pictures(partials, ofEpoch); !text.empty())
                    report::replaceFile(options.picturesFile, text);
            });
    }

    /// How many epochs are trained.
    double epochsTrained() const
    {
        return config.evaluation.unit == EvalUnit::Epochs ? epoch
                                                          : double(at.step) / double(stepsPerEpoch);
    }

    /// After the step that was just done.
    bool evaluationIsDue() const
    {
        const EvalCadence& cadence = config.evaluation;
        if (cadence.unit == EvalUnit::Epochs)
            return false; // between epochs
        const bool steps = cadence.unit == EvalUnit::Steps;
        const int64_t size = steps ? 1 : lastStepSamples;
        const int64_t done = steps ? at.step : at.samples;
        return cadence.upTo(done) > cadence.upTo(done - size);
    }

    bool evaluationIsDueAfterEpoch() const
    {
        const EvalCadence& cadence = config.evaluation;
        if (epoch == config.epochs)
            return !evaluationIsDue(); // else it was just done
        return cadence.unit == EvalUnit::Epochs && cadence.upTo(epoch) > cadence.upTo(epoch - 1);
    }

    /// Collective.
    void evaluate()
    {
        const auto start = SteadyClock::now();
        const double ofEpoch = epochsTrained();
        if (background && background->pending())
            collectBackgroundEvaluation();
        if (targetReached)
            return;
        averageBuffers(comm, replica->backend(), replica->parameters());
        if (stopAgreed) { // in the epoch's last step, or while the one before was waited for
            at.pendingEval = ofEpoch;
            return;
        }
        startEvaluation(ofEpoch);
        evalExposedMs += msSince(start);
    }

    void startEvaluation(double ofEpoch)
    {
        emit([&](report::RunStream& out) { out.evalStart(ofEpoch); });
        if (background)
            background->start(replica->backend(), replica->parameters(), ofEpoch, at.samples);
        else
            evaluateHere(ofEpoch);
    }

    void evaluateHere(double ofEpoch)
    {
        activity.set("eval", sizes.evalSamples / comm.size());
        const auto evaluator = workload->makeEvaluator();
        const bool together = replica->network().forwardIsCollective();
        try {
            if (!pendingFailure)
                evalBytes += evaluateShare(workload->evaluation(), *evaluator, replica->backend(),
                                           replica->network(), inputThreads, activity.done,
                                           [&] { return !together && stopRequested(); });
        } catch (...) {
            noteFailure();
        }
        if (together && pendingFailure)
            comm.fail(pendingFailure->code, pendingFailure->message);
        concludeEvaluation(ofEpoch, at.samples, evaluator.get());
    }

    /// Collective; waits where this worker is not ready yet.
    void collectBackgroundEvaluation()
    {
        const auto start = SteadyClock::now();
        const workloads::Evaluator* evaluator = nullptr;
        try {
            evaluator = &background->collect();
        } catch (...) {
            noteFailure();
        }
        concludeEvaluation(background->epoch(), background->samplesSeen(), evaluator);
        evalExposedMs += msSince(start);
    }

    // ---- Epochs

    void reportEpoch(const StepSplit& split, double trainMs, double trainLoss)
    {
        const int64_t bytes = workload->bytesRead() + prefetcher->bytesRead() + evalBytes +
                              (background ? background->bytesRead() : 0);
        report::EpochSplit record =
            gatherEpochSplit(comm, split, evalExposedMs, bytes - bytesReported);
        bytesReported = bytes;
        record.hosts = hostLoads.gather(comm);
        record.epoch = epoch;
        record.evalS = evalExposedMs / 1000.0;
        record.trainS = trainMs / 1000.0;
        record.trainLoss = trainLoss;
        emit([&](report::RunStream& out) {
            out.throughput(epoch, at.step,
                           trainMs > 0 ? double(split.samples) * 1000.0 / trainMs : 0);
            out.epochSplit(record);
        });
    }

    bool mayGoOn() const { return !stopAgreed && !targetReached; }

    void noteTraining()
    {
        activity.set("train", stepsPerEpoch * config.epochs);
        activity.done = at.step;
    }

    void trainEpoch()
    {
        if (!at.midEpoch) {
            emit([&](report::RunStream& out) { out.epochStart(epoch); });
            at.epochLossSum = 0;
            at.epochSteps = 0;
        }
        noteTraining();
        evalExposedMs = 0;
        StepSplit split;
        const auto start = SteadyClock::now();
        const int64_t end = stepsPerEpoch * epoch;
        while (at.step < end && mayGoOn()) {
            trainStep(split);
            if (options.maxSteps > 0 && at.step >= options.maxSteps)
                stopAgreed = true;
            const bool evaluates = evaluationIsDue() && !targetReached;
            if (evaluates || at.step == end || !mayGoOn())
                settle(split);
            if (evaluates) {
                evaluate();
                noteTraining();
            }
        }
        const double trainMs = msSince(start) - evalExposedMs;
        const double loss = at.epochSteps > 0 ? at.epochLossSum / double(at.epochSteps) : 0;
        outcome.epochLoss.push_back(loss);
        if (at.step < end && !targetReached)
            return; // it will be gone on with
        emit([&](report::RunStream& out) { out.epochStop(epoch); });
        if (at.step < end) { // the target ends the run, and this is what its last part cost
            reportEpoch(split, trainMs, loss);
            return;
        }
        at.midEpoch = false;
        at.epoch = epoch + 1;
        if (!targetReached && evaluationIsDueAfterEpoch())
            evaluate();
        if (epoch == config.epochs)
            collectLastEvaluation();
        reportEpoch(split, trainMs, loss);
        const int every = config.options.checkpointEvery;
        if (every > 0 && epoch % every == 0 && epoch < config.epochs && mayGoOn())
            save();
    }

    /// Collective.
    void save()
    {
        if (options.checkpointFolder.empty())
            return;
        activity.set("checkpoint", 0);
        RunPosition position = at;
        if (background && background->pending())
            position.pendingEval = background->epoch();
        emit([&](report::RunStream& out) { out.checkpoint(at.epoch, at.step); });
        saveRun(options.checkpointFolder, config, workload->encoding(), position, *replica, comm,
                writer, [this](int64_t bytes) { activity.done = bytes; });
    }

    /// Collective.
    void collectLastEvaluation()
    {
        if (background && background->pending())
            collectBackgroundEvaluation();
    }

    /// Stopped: what was trained since the last checkpoint is kept.
    void saveStopped()
    {
        if (!targetReached && at.step > 0)
            save();
    }

    // ---- The end

    void conclude()
    {
        outcome.epochs = epoch;
        if (targetReached)
            outcome.reason = "target_reached";
        else if (stopAgreed)
            outcome.reason = "stopped";
        else
            outcome.reason = config.targets.empty() ? "epochs_done" : "target_not_reached";
        outcome.success = outcome.reason == "target_reached" || outcome.reason == "epochs_done";
        emit([&](report::RunStream& out) {
            if (!pendingFailure)
                out.runStop(outcome.success ? "success" : "aborted", outcome.reason, epoch,
                            at.samples);
        });
        agreeOnPending();
    }

    void runAll()
    {
        initialize();
        startClock();
        openData();
        lastRecord = SteadyClock::now();
        resumeEvaluation();
        for (epoch = at.epoch; epoch <= config.epochs && mayGoOn(); ++epoch)
            trainEpoch();
        collectLastEvaluation(); // before the verdict, and before a checkpoint that owes none
        epoch = std::max(at.epoch - (at.midEpoch ? 0 : 1), 1);
        if (stopAgreed && !targetReached)
            saveStopped();
    }
};

Trainer::Trainer(const RunConfig& config, dist::Communicator& communicator,
                 report::ResultsWriter* writer, TrainerOptions options)
    : impl_(std::make_unique<Impl>(config, communicator, writer, std::move(options)))
{
}

Trainer::~Trainer()
{
    impl_->prefetcher.reset(); // their threads read the data
    impl_->background.reset();
}

Outcome Trainer::run()
{
    try {
        impl_->runAll();
    } catch (const AgreedError& e) {
        if (e.code() != "stopped")
            throw;
        impl_->stopAgreed = true;
    }
    impl_->conclude();
    if (impl_->options.keepParameters && impl_->replica) {
        if (impl_->replica->rowCopies())
            impl_->replica->rowCopies()->giveToOwners();
        impl_->outcome.parameters =
            toHost(impl_->replica->backend(), impl_->replica->parameters().values());
    }
    return impl_->outcome;
}

int Trainer::epoch() const
{
    return impl_->epoch;
}
int64_t Trainer::samplesSeen() const
{
    return impl_->at.samples;
}

} // namespace scalebench::train
