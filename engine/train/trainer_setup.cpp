// SPDX-License-Identifier: GPL-3.0-or-later
// From the start of the process to the first step: turns, devices, data, the network.
#include "engine/train/trainer_impl.h"

#include "engine/core/fingerprint.h"
#include "engine/core/processors.h"
#include "engine/data/sampler.h"
#include "engine/placement/binding.h"
#include "engine/train/align_batch.h"
#include "engine/train/rehearsal.h"
#include "engine/train/run_setup.h"
#include "engine/workloads/device_input.h"

#include <algorithm>
#include <utility>

namespace scalebench::train {

namespace {

/// Batches are made beside the computation: by what the node has to spare, one thread at least.
int inputThreadsOf(const RunConfig& config, const dist::Communicator& communicator)
{
    if (config.options.inputThreads > 0)
        return config.options.inputThreads;
    const int share = processorCount() / std::max(1, communicator.localSize());
    return std::clamp(share - config.threadsPerWorker, 1, 16);
}

} // namespace

void Trainer::Impl::checkMachine() const
{
    if (config.workers != comm.size())
        throw InvalidArgument("run.json asks for " + std::to_string(config.workers) +
                                  " workers, but " + std::to_string(comm.size()) +
                                  " were started (mpirun -np " + std::to_string(config.workers) +
                                  ")",
                              "workers");
    if (config.precision == "fp16" && config.device == "cpu")
        throw Unsupported("fp16 is not available on the CPU (oneDNN has no fp16 training); use "
                          "bf16 or fp32",
                          "precision_unavailable");
}

void Trainer::Impl::waitForTurn()
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
    if (const std::string trouble = turnTrouble(comm, turn); !trouble.empty())
        emit([&](report::RunStream& out) { out.warning("turns", trouble); });
    activity.set("init", 0);
}

void Trainer::Impl::bindThreads()
{
    if (!config.options.bindThreads)
        return;
    try {
        std::string why = placement::whyNotHere();
        if (config.device != "cpu")
            why = "a GPU computes";
        else if (comm.localRank() == 0 && !turn.isHeld() && !placement::jobOwnsProcessors())
            why = "other runs may compute on this host at the same time";
        binding = placement::bindWorker(comm, config.threadsPerWorker, why);
    } catch (...) {
        noteFailure();
    }
    agreeOnPending();
}

NetworkFactory Trainer::Impl::networkFactory()
{
    if (options.makeNetwork)
        return options.makeNetwork;
    return [this](Backend& backend, const ArenaAllocator& arena) {
        return workload->makeNetwork(backend, arena);
    };
}

void Trainer::Impl::initialize()
{
    comm.setTimeout(config.options.collectiveTimeoutS);
    doTogether(comm, [&] {
        checkMachine();
        if (stream && !options.resume)
            stream->header(runHeader(config, comm));
    });
    if (!options.turn.empty())
        waitForTurn();
    bindThreads();
    if (config.device == "cpu")
        waits.emplace(config.threadsPerWorker);
    doTogether(comm, [&] {
        if (stream && !options.resume)
            stream->initStart();
        workload = config.recipe->make(config);
        workload->join({comm.rank(), comm.size()});
        workload->watchLoading([this](int64_t done, int64_t total) { noteLoading(done, total); });
    });
    const std::vector<report::WorkerInfo> workers =
        introduceWorkers(config, options.devices.deviceName, comm);
    emit([&](report::RunStream& out) {
        for (const report::WorkerInfo& worker : workers)
            out.worker(worker);
    });
    prepareNodes();
    if (workload->measureReadsData())
        prepareForAll();
    if (buildsOnClock())
        rehearseAlone();
    else
        build();
    agreeOnPending();
    if (!options.resume)
        emit([](report::RunStream& out) { out.initStop(); });
}

void Trainer::Impl::prepareForAll()
{
    activity.set("data", 0);
    comm.setTimeout(0); // it may take one worker long
    std::string notKept;
    doTogether(comm, [&] {
        try {
            if (comm.localRank() == 0)
                workload->prepareForAll(processorCount());
        } catch (const Error& e) {
            if (e.code() == "not_writable" || e.code() == "disk_full")
                notKept = e.what();
        }
    });
    comm.setTimeout(config.options.collectiveTimeoutS);
    if (!notKept.empty())
        emit([&](report::RunStream& out) { out.warning("data", notKept); });
}

void Trainer::Impl::build()
{
    const int64_t wantedBatch = config.globalBatch;
    if (workload->measureReadsData()) {
        activity.set("data", 0);
        comm.setTimeout(0); // reading may take one worker long
    }
    doTogether(comm, [&] {
        sizes = workload->measure();
        if (!options.checkpointFolder.empty())
            identity = {workload->encoding(), sizes.trainSamples, sizes.evalSamples,
                        printFingerprint(workload->fingerprint().value())};
        if (config.options.alignBatch)
            config.globalBatch = alignedBatch(sizes.batchUnits(), config.globalBatch,
                                              int64_t{config.workers} * config.options.gradAccum);
    });
    comm.setTimeout(config.options.collectiveTimeoutS);
    // Not doTogether(): building is collective inside (the shared arena). What can fail there
    // fails on every worker alike.
    try {
        DeviceFactory devices = options.devices;
        if (rehearsed)
            devices.makeBackend = [this] { return std::move(rehearsed); };
        replica = std::make_unique<Replica>(config, comm, devices, networkFactory());
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
        at = restoreRun(options.checkpoint, config, identity, *replica, comm);
    emit([&](report::RunStream& out) {
        if (!options.resume)
            out.hyperparameters(hyperparameters(config, sizes));
        for (const std::string& remark : workload->remarks())
            out.warning("data", remark);
        report::Json setup = setupRecord(config, *replica, *workload, sizes, comm, wantedBatch);
        setup["input_threads"] = inputThreads;
        setup["switches"]["bind_threads"] = binding;
        out.setup(setup);
    });
    agreeOnPending();
    if (!buildsOnClock())
        warmUp();
}

int64_t Trainer::Impl::microBatch() const
{
    return data::microBatchRange(0, config.globalBatch, config.options.gradAccum,
                                 {comm.rank(), comm.size()})
        .size;
}

void Trainer::Impl::rehearseAlone()
{
    auto* const input = dynamic_cast<workloads::WarmUpInput*>(workload.get());
    if (config.device == "cpu" || input == nullptr || options.makeNetwork)
        return;
    activity.set("init", 0);
    try {
        rehearsed = options.devices.makeBackend();
        rehearse(*rehearsed, config, *input, microBatch(), batchMemory);
    } catch (const std::exception&) { // the run will meet it too, and tell all workers
        rehearsed.reset();
    }
}

void Trainer::Impl::warmUp()
{
    auto* const input = dynamic_cast<workloads::WarmUpInput*>(workload.get());
    if (config.device == "cpu" || input == nullptr || !replica->network().fixedWork())
        return;
    const Batch batch = input->warmUpBatch(microBatch(), batchMemory);
    activity.set("init", 0);
    replica->warmUp(batch, workload->lossScale(config.globalBatch), pendingFailure);
    agreeOnPending();
}

void Trainer::Impl::startClock()
{
    hostLoads.begin();
    if (!options.resume) {
        emit([&](report::RunStream& out) {
            if (!options.resumeNote.empty()) // it was to be resumed and could not be
                out.warning("checkpoint", options.resumeNote);
            out.runStart();
        });
        if (buildsOnClock())
            build();
        return;
    }
    emit([&](report::RunStream& out) {
        if (!options.resumeNote.empty())
            out.warning("checkpoint", options.resumeNote);
        out.resume(at.epoch, at.step,
                   writer->position().timeMs - streamPosition(*options.checkpoint).timeMs);
    });
}

void Trainer::Impl::noteLoading(int64_t done, int64_t total)
{
    activity.done = done;
    activity.total = total;
    if (stopRequested())
        stopWhileLoading();
}

void Trainer::Impl::prepareNodes()
{
    if (config.data.source != DataSource::Generated)
        return;
    activity.set("data", 0);
    comm.setTimeout(0); // generating may take one worker long
    doTogether(comm, [&] {
        if (comm.localRank() == 0)
            workload->prepareNode(processorCount(), [this](int64_t done, int64_t total) {
                noteLoading(done, total);
            });
    });
    comm.setTimeout(config.options.collectiveTimeoutS);
}

void Trainer::Impl::openData()
{
    activity.set("data", sizes.trainSamples + sizes.evalSamples);
    comm.setTimeout(0); // reading may take one worker long
    if (auto* input = dynamic_cast<workloads::PictureInput*>(workload.get());
        input != nullptr && replica->makesPictures())
        input->leavePicturesRaw();
    doTogether(comm, [&] {
        const int share = processorCount() / std::max(1, comm.localSize());
        workload->open({{comm.rank(), comm.size()},
                        batchMemory,
                        std::max(config.threadsPerWorker, share),
                        [this](int64_t done, int64_t total) { noteLoading(done, total); }});
    });
    comm.setTimeout(config.options.collectiveTimeoutS);
    stepsPerEpoch = workload->training().batches(0) / config.options.gradAccum;
    const data::BatchPosition first{at.epoch - 1, (at.step - stepsPerEpoch * (at.epoch - 1)) *
                                                      config.options.gradAccum};
    prefetcher = std::make_unique<data::Prefetcher>(workload->training(), first, config.epochs - 1,
                                                    inputThreads, 3, replica->keptBatches());
    if (config.options.asyncEval)
        background = std::make_unique<AsyncEvaluation>(
            *workload, options.devices.makeBackend,
            [this](Backend& backend) { return networkFactory()(backend, {}); },
            config.threadsPerWorker, inputThreads);
}

} // namespace scalebench::train
