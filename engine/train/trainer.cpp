// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/trainer.h"

#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"
#include "engine/core/thread_count.h"
#include "engine/data/pipeline.h"
#include "engine/data/prefetcher.h"
#include "engine/data/sampler.h"
#include "engine/dist/gradient_reducer.h"
#include "engine/models/resnet/resnet.h"
#include "engine/nn/loss.h"
#include "engine/optim/schedule.h"
#include "engine/optim/sgd.h"
#include "engine/report/run_stream.h"
#include "engine/report/system_info.h"
#include "engine/train/agreement.h"
#include "engine/train/evaluation.h"
#include "engine/train/heartbeat.h"
#include "engine/train/run_data.h"
#include "engine/train/run_schedule.h"
#include "engine/train/step_split.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>

#include <unistd.h>

namespace scalebench::train {

using report::Json;

struct Trainer::Impl {
    const RunConfig config;
    dist::Communicator& comm;
    report::ResultsWriter* writer;
    const TrainerOptions options;
    std::optional<report::RunStream> stream;
    Activity activity;
    std::optional<Heartbeat> heartbeat;

    // Network and what belongs to it; set by build().
    std::unique_ptr<Backend> backend;
    std::unique_ptr<dist::GradientReducer> reducer;
    std::unique_ptr<Network> network;
    std::unique_ptr<SgdOptimizer> optimizer;
    std::vector<std::pair<size_t, size_t>> parameterRanges; ///< by parameter index, with padding
    ScheduleConfig schedule;
    double statReducerMs = 0;
    std::vector<std::string> hosts; ///< by rank

    // Data; set by openData().
    DataPlan plan;
    RunData data;
    std::unique_ptr<data::TrainSampler> sampler;
    std::unique_ptr<data::ImagePipeline> trainPipeline;
    std::unique_ptr<data::ImagePipeline> evalPipeline;
    std::unique_ptr<data::Prefetcher> prefetcher;

    // Progress of the run.
    int epoch = 0;
    int64_t step = 0;
    int64_t samples = 0;
    bool stopAgreed = false;
    std::optional<Failure> pendingFailure; ///< of this worker, to be told to the others
    StepSplit sinceRecord;
    SteadyClock::time_point lastRecord{};
    int64_t bytesReported = 0;
    Outcome outcome;

    Impl(const RunConfig& c, dist::Communicator& communicator, report::ResultsWriter* w,
         TrainerOptions o)
        : config(c), comm(communicator), writer(w), options(o)
    {
        if (writer != nullptr) {
            stream.emplace(*writer);
            heartbeat.emplace(*writer, activity);
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
        if (config.precision == "fp16")
            throw Unsupported(
                "fp16 is not available on the CPU (oneDNN has no fp16 training); use bf16 or fp32");
    }

    void build(const DataPlan& dataPlan)
    {
        setComputeThreads(config.threadsPerWorker);
        backend = makeCpuBackend();
        ResNetConfig model = ResNetConfig::byName(
            config.model.name, config.model.classes == 0 ? dataPlan.classes : config.model.classes);
        model.imageSize = config.model.imageSize;
        dist::ReducerOptions reducerOptions;
        reducerOptions.bucketMb = config.options.bucketMb;
        reducerOptions.overlap = config.options.overlap;
        reducerOptions.allReduce = dist::parseAllReduceKind(config.options.allReduce);
        const ArenaAllocator arena = [&](std::size_t elements) {
            reducer = std::make_unique<dist::GradientReducer>(comm, elements, reducerOptions);
            // The reducer outlives the network: see the order of members.
            return std::shared_ptr<float>(reducer->gradients().data(), [](float*) {});
        };
        if (options.makeNetwork)
            network = options.makeNetwork(*backend, arena);
        else
            network = std::make_unique<ResNet>(model, *backend, parsePrecision(config.precision),
                                               uint64_t(config.seed), arena);
        SgdConfig sgd;
        sgd.momentum = config.optimizer.momentum;
        sgd.weightDecay = config.optimizer.weightDecay;
        sgd.nesterov = config.optimizer.nesterov;
        optimizer = std::make_unique<SgdOptimizer>(*backend, network->parameters(), sgd);
        if (config.options.syncBn && comm.size() > 1)
            network->setStatReducer([this](std::span<double> values) {
                const auto start = SteadyClock::now();
                comm.allReduceSum(values);
                statReducerMs += msSince(start);
            });
        const ParameterSet& parameters = network->parameters();
        const std::vector<int>& order = parameters.readyOrder();
        parameterRanges.resize(order.size());
        for (size_t i = 0; i < order.size(); ++i) {
            const size_t from = parameters.parameters()[size_t(order[i])].offset;
            const size_t to = i + 1 < order.size()
                                  ? parameters.parameters()[size_t(order[i + 1])].offset
                                  : parameters.gradients().size();
            parameterRanges[size_t(order[i])] = {from, to - from};
        }
    }

    void writeHeader()
    {
        const int sockets = report::cpuSockets();
        stream->header({SB_VERSION, config.runId, config.study, config.workload,
                        std::to_string(comm.nodes() * sockets) + "x " + report::cpuModel() + ", " +
                            std::to_string(comm.size()) + " CPU worker" +
                            (comm.size() == 1 ? "" : "s")});
        stream->initStart();
    }

    /// Who works where; every worker tells, rank 0 writes.
    void introduceWorkers()
    {
        const Json mine = {{"rank", comm.rank()},          {"local_rank", comm.localRank()},
                           {"node", comm.node()},          {"host", comm.hostName()},
                           {"pid", int64_t(::getpid())},   {"device_name", report::cpuModel()},
                           {"cpus", report::allowedCpus()}};
        const std::vector<std::string> all =
            comm.allGather(mine.dump(-1, ' ', false, Json::error_handler_t::replace));
        for (const std::string& text : all)
            hosts.push_back(Json::parse(text)["host"]);
        emit([&](report::RunStream& out) {
            for (const std::string& text : all) {
                const Json w = Json::parse(text);
                out.worker({w["rank"], w["local_rank"], w["node"], w["host"], w["pid"], "cpu",
                            w["device_name"], config.threadsPerWorker, w["cpus"]});
            }
        });
    }

    void writeSetup()
    {
        const ComputePrecision& compute = network->precision();
        const Json target = config.target ? Json(*config.target) : Json(nullptr);
        const Json setup = {{"model", config.model.name},
                            {"parameters", network->parameters().trainableCount()},
                            {"precision", config.precision},
                            {"compute_precision", precisionName(compute.precision)},
                            {"precision_note", compute.reason},
                            {"target", target},
                            {"metric", "top1_accuracy"},
                            {"epochs", config.epochs},
                            {"steps_per_epoch", plan.trainSamples / config.globalBatch},
                            {"workers", comm.size()},
                            {"nodes", comm.nodes()},
                            {"threads_per_worker", config.threadsPerWorker},
                            {"oversubscribed", config.oversubscribed},
                            {"local_batch", config.localBatch()},
                            {"bucket_mb", config.options.bucketMb},
                            {"overlap", config.options.overlap},
                            {"sync_bn", config.options.syncBn},
                            {"allreduce", reducer->method()},
                            {"data", dataSourceName(config.data.source)},
                            {"dropped_per_epoch", plan.trainSamples % config.globalBatch}};
        emit([&](report::RunStream& out) {
            report::Hyperparameters values;
            values.seed = config.seed;
            values.globalBatch = config.globalBatch;
            values.optimizer = config.optimizer.name;
            values.baseLearningRate = config.schedule.baseLr;
            values.weightDecay = config.optimizer.weightDecay;
            values.warmupEpochs = config.schedule.warmupEpochs;
            values.gradAccumulation = config.options.gradAccum;
            values.trainSamples = plan.trainSamples;
            values.evalSamples = plan.evalSamples;
            values.dataSource = dataSourceName(config.data.source);
            out.hyperparameters(values);
            out.setup(setup);
        });
    }

    void initialize()
    {
        doTogether(comm, [&] {
            checkMachine();
            if (stream)
                writeHeader();
            plan = planData(config);
        });
        introduceWorkers();
        // Not doTogether(): building is collective inside (the shared arena). What can fail there
        // fails on every worker alike.
        try {
            build(plan);
            schedule = makeSchedule(config, plan.trainSamples / config.globalBatch);
        } catch (...) {
            noteFailure();
        }
        agreeOnPending();
        writeSetup();
        agreeOnPending();
        emit([](report::RunStream& out) { out.initStop(); });
    }

    // ---- Data

    void openData()
    {
        activity.set("data", plan.trainSamples + plan.evalSamples);
        data = loadData(config, comm, [this](int64_t done, int64_t total) {
            activity.done = done;
            activity.total = total;
            if (stopRequested())
                stopWhileLoading();
        });
        const uint64_t seed = uint64_t(config.seed);
        const data::WorkerSlice slice{comm.rank(), comm.size()};
        sampler = std::make_unique<data::TrainSampler>(data.train->size(), config.globalBatch,
                                                       config.options.gradAccum, slice, seed);
        const data::AugmentOptions augment{config.data.padCrop, config.data.flip,
                                           config.data.randomResizedCrop};
        trainPipeline = std::make_unique<data::ImagePipeline>(*data.train, config.model.imageSize,
                                                              data.statistics, augment, seed);
        evalPipeline = std::make_unique<data::ImagePipeline>(
            *data.eval, config.model.imageSize, data.statistics, data::AugmentOptions{}, seed);
        const int64_t last = sampler->microBatchesPerEpoch() * config.epochs;
        prefetcher =
            std::make_unique<data::Prefetcher>(0, last, [this](int64_t index, data::Batch& batch) {
                trainPipeline->fillTrain(sampler->microBatchIndices(index), sampler->epochOf(index),
                                         batch);
            });
    }

    // ---- One step

    /// Forward and backward of one micro-batch; gradients land in the arena.
    void microStep(int micro, bool announce, dist::StepTail& tail, StepSplit& split,
                   size_t& announced)
    {
        const double waitedBefore = prefetcher->waitedMs();
        const data::Batch& batch = prefetcher->next();
        split.input += prefetcher->waitedMs() - waitedBefore;
        const auto start = SteadyClock::now();
        const double exposedBefore = statReducerMs;
        const int64_t edge = config.model.imageSize;
        const Tensor images = Tensor::view(const_cast<float*>(batch.images.data()),
                                           {batch.count, edge, edge, 3}, DType::F32);
        const Tensor labels =
            Tensor::view(const_cast<int32_t*>(batch.labels.data()), {batch.count}, DType::I32);
        Tape tape(*backend);
        tape.setAccumulate(micro > 0);
        const LossParams params{float(config.optimizer.labelSmoothing),
                                1.0f / float(config.globalBatch)};
        const LossResult loss = network->loss(tape, {{images, labels}, batch.count}, params, true);
        tail.lossSum += loss.lossSum;
        tail.correct += loss.correct;
        if (announce) {
            tape.backward(loss.loss, [&](int parameter) {
                const auto [offset, count] = parameterRanges[size_t(parameter)];
                reducer->markReady(offset, count);
                ++announced;
            });
        } else {
            tape.backward(loss.loss);
        }
        split.compute += msSince(start) - (statReducerMs - exposedBefore);
    }

    /// A worker that cannot compute still sends every bucket, in the same order, so that the others
    /// do not wait for ever; the tail tells them.
    void announceRest(size_t announced)
    {
        const std::vector<int>& order = network->parameters().readyOrder();
        for (; announced < order.size(); ++announced) {
            const auto [offset, count] = parameterRanges[size_t(order[announced])];
            reducer->markReady(offset, count);
        }
    }

    void trainStep(StepSplit& epochSplit)
    {
        const auto start = SteadyClock::now();
        StepSplit split;
        dist::StepTail tail;
        size_t announced = 0;
        if (!pendingFailure) {
            try {
                for (int micro = 0; micro < config.options.gradAccum; ++micro)
                    microStep(micro, micro + 1 == config.options.gradAccum, tail, split, announced);
            } catch (...) {
                noteFailure();
            }
        }
        announceRest(announced);
        // Blocking buckets were sent from inside backward: that time is not compute.
        const double insideBackward = reducer->takeExposedMs();
        tail.failed = pendingFailure.has_value();
        tail.stop = stopRequested();
        tail.nonFinite = !std::isfinite(float(tail.lossSum));
        const dist::StepTail sum = reducer->finish(tail);
        split.comm = insideBackward + reducer->takeExposedMs() + std::exchange(statReducerMs, 0.0);
        split.compute -= std::min(split.compute, insideBackward);
        if (sum.failed)
            agreeOnPending();
        if (sum.nonFinite)
            throwDiverged(sum.firstNonFinite);
        const double learningRate = learningRateAt(schedule, step);
        const auto optimizerStart = SteadyClock::now();
        optimizer->step(learningRate);
        split.compute += msSince(optimizerStart);
        ++step;
        samples += config.globalBatch;
        stopAgreed = sum.stop;
        split.total = msSince(start);
        split.steps = 1;
        split.lossSum = sum.lossSum / double(config.globalBatch);
        epochSplit.add(split);
        sinceRecord.add(split);
        recordStep(learningRate);
    }

    void recordStep(double learningRate)
    {
        activity.done = step;
        const double passed = msSince(lastRecord);
        if (!stream || (step > 1 && passed < 250.0))
            return;
        const StepSplit& s = sinceRecord;
        report::StepRecord record;
        record.step = step;
        record.epoch = double(step) / double(sampler->stepsPerEpoch());
        record.samples = samples;
        record.loss = s.mean(s.lossSum);
        record.learningRate = learningRate;
        record.stepMs = s.mean(s.total);
        record.computeMs = s.mean(s.compute);
        record.commMs = s.mean(s.comm);
        record.inputMs = s.mean(s.input);
        record.otherMs = s.mean(s.other());
        record.samplesPerSecond =
            record.stepMs > 0 ? double(config.globalBatch) * 1000.0 / record.stepMs : 0;
        emit([&](report::RunStream& out) { out.step(record); });
        sinceRecord = {};
        lastRecord = SteadyClock::now();
    }

    [[noreturn]] void throwDiverged(int rank) const
    {
        Failure failure;
        failure.code = "diverged";
        failure.rank = rank;
        failure.host = hosts[size_t(rank)];
        failure.message = "training diverged: the loss became NaN or infinite at step " +
                          std::to_string(step + 1) + " (epoch " + std::to_string(epoch) +
                          ") on rank " + std::to_string(rank) +
                          ". Lower the learning rate or lengthen the warm-up.";
        throw AgreedError(failure);
    }

    // ---- Evaluation

    /// Collective. False when stopped meanwhile.
    bool evaluate(double& evalMs)
    {
        const auto start = SteadyClock::now();
        emit([&](report::RunStream& out) { out.evalStart(epoch); });
        activity.set("eval", data.eval->size() / comm.size());
        averageBuffers(comm, network->parameters());
        double sums[4] = {};
        if (!pendingFailure) {
            try {
                const EvalCounts counts =
                    evaluateShare({*evalPipeline, *backend, *network, data.eval->size(),
                                   config.microBatch(), config.model.imageSize},
                                  comm, activity.done, [this] { return stopRequested(); });
                sums[0] = double(counts.correct);
                sums[1] = double(counts.counted);
            } catch (...) {
                noteFailure();
            }
        }
        sums[2] = stopRequested() ? 1 : 0;
        sums[3] = pendingFailure ? 1 : 0;
        comm.allReduceSum(std::span<double>(sums));
        evalMs = msSince(start);
        if (sums[3] > 0)
            agreeOnPending();
        stopAgreed = sums[2] > 0;
        if (stopAgreed)
            return false;
        outcome.lastAccuracy = sums[1] > 0 ? sums[0] / sums[1] : 0;
        outcome.epochAccuracy.push_back(outcome.lastAccuracy);
        emit([&](report::RunStream& out) {
            out.evalAccuracy(epoch, samples, int64_t(sums[0]), int64_t(sums[1]));
            out.evalStop(epoch);
        });
        return true;
    }

    // ---- Epochs

    void reportEpoch(const StepSplit& split, double trainMs, double evalMs)
    {
        const int64_t bytes = data.bytesRead + prefetcher->bytesRead();
        const double mine[] = {split.mean(split.total),      split.mean(split.compute),
                               split.mean(split.comm),       split.mean(split.input),
                               split.mean(split.other()),    evalMs,
                               double(bytes - bytesReported)};
        bytesReported = bytes;
        const std::vector<std::string> all =
            comm.allGather({reinterpret_cast<const char*>(mine), sizeof mine});
        report::EpochSplit record;
        record.epoch = epoch;
        for (size_t r = 0; r < all.size(); ++r) {
            double v[7] = {};
            std::memcpy(v, all[r].data(), std::min(sizeof v, all[r].size()));
            record.ranks.push_back({int(r), v[0], v[1], v[2], v[3], v[4], v[5]});
            record.bytesRead += int64_t(v[6]);
        }
        record.evalS = evalMs / 1000.0;
        record.trainS = trainMs / 1000.0;
        record.trainLoss = split.mean(split.lossSum);
        emit([&](report::RunStream& out) {
            out.throughput(epoch, step,
                           trainMs > 0 ? double(split.steps * config.globalBatch) * 1000.0 / trainMs
                                       : 0);
            out.epochSplit(record);
        });
    }

    /// False when the run ends here.
    bool trainEpoch()
    {
        emit([&](report::RunStream& out) { out.epochStart(epoch); });
        activity.set("train", sampler->stepsPerEpoch() * config.epochs);
        activity.done = step;
        StepSplit split;
        const auto start = SteadyClock::now();
        for (int64_t s = 0; s < sampler->stepsPerEpoch() && !stopAgreed; ++s) {
            trainStep(split);
            if (options.maxSteps > 0 && step >= options.maxSteps)
                stopAgreed = true;
        }
        const double trainMs = msSince(start);
        outcome.epochLoss.push_back(split.mean(split.lossSum));
        if (stopAgreed)
            return false;
        emit([&](report::RunStream& out) { out.epochStop(epoch); });
        double evalMs = 0;
        const bool due = epoch % config.evalEvery == 0 || epoch == config.epochs;
        if (due && !evaluate(evalMs))
            return false;
        reportEpoch(split, trainMs, evalMs);
        return !(due && config.target && outcome.lastAccuracy >= *config.target);
    }

    void conclude()
    {
        outcome.epochs = epoch;
        const bool reached = config.target && !outcome.epochAccuracy.empty() &&
                             outcome.lastAccuracy >= *config.target;
        if (stopAgreed)
            outcome.reason = "stopped";
        else if (reached)
            outcome.reason = "target_reached";
        else
            outcome.reason = config.target ? "target_not_reached" : "epochs_done";
        outcome.success = outcome.reason == "target_reached" || outcome.reason == "epochs_done";
        heartbeatOff();
        emitFinal();
        agreeOnPending();
    }

    void heartbeatOff()
    {
        if (!heartbeat)
            return;
        try {
            heartbeat->check();
        } catch (...) {
            noteFailure();
        }
    }

    void emitFinal()
    {
        if (pendingFailure)
            return;
        emit([&](report::RunStream& out) {
            out.runStop(outcome.success ? "success" : "aborted", outcome.reason, epoch, samples);
        });
    }

    void runAll()
    {
        initialize();
        emit([](report::RunStream& out) { out.runStart(); });
        openData();
        lastRecord = SteadyClock::now();
        for (epoch = 1; epoch <= config.epochs; ++epoch)
            if (!trainEpoch())
                break;
        epoch = std::min(epoch, config.epochs);
    }
};

Trainer::Trainer(const RunConfig& config, dist::Communicator& communicator,
                 report::ResultsWriter* writer, TrainerOptions options)
    : impl_(std::make_unique<Impl>(config, communicator, writer, options))
{
}

Trainer::~Trainer()
{
    impl_->prefetcher.reset(); // its thread reads the data
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
    if (impl_->options.keepParameters && impl_->network) {
        const std::span<float> values = impl_->network->parameters().values();
        impl_->outcome.parameters.assign(values.begin(), values.end());
    }
    return impl_->outcome;
}

int Trainer::epoch() const
{
    return impl_->epoch;
}
int64_t Trainer::samplesSeen() const
{
    return impl_->samples;
}

} // namespace scalebench::train
