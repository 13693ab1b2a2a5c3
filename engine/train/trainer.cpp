// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/trainer.h"

#include "engine/backend/host_copy.h"
#include "engine/train/run_checkpoint.h"
#include "engine/train/trainer_impl.h"

#include <algorithm>
#include <utility>

namespace scalebench::train {

void Trainer::Impl::reportEpoch(const StepSplit& split, double trainMs, double trainLoss)
{
    const int64_t bytes = workload->bytesRead() + prefetcher->bytesRead() + evalBytes +
                          (background ? background->bytesRead() : 0);
    report::EpochSplit record = gatherEpochSplit(comm, split, evalExposedMs, bytes - bytesReported);
    bytesReported = bytes;
    record.hosts = hostLoads.gather(comm);
    record.epoch = epoch;
    record.evalS = evalExposedMs / 1000.0;
    record.trainS = trainMs / 1000.0;
    record.trainLoss = trainLoss;
    emit([&](report::RunStream& out) {
        out.throughput(epoch, at.step, trainMs > 0 ? double(split.samples) * 1000.0 / trainMs : 0);
        out.epochSplit(record);
    });
}

void Trainer::Impl::noteTraining()
{
    activity.set("train", stepsPerEpoch * config.epochs);
    activity.done = at.step;
}

void Trainer::Impl::trainEpoch()
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
        if (waits)
            waits->look();
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
    emit([&](report::RunStream& out) { out.epochStop(epoch, at.samples); });
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

void Trainer::Impl::save()
{
    if (options.checkpointFolder.empty())
        return;
    activity.set("checkpoint", 0);
    RunPosition position = at;
    if (background && background->pending())
        position.pendingEval = background->epoch();
    emit([&](report::RunStream& out) { out.checkpoint(at.epoch, at.step); });
    saveRun(options.checkpointFolder, config, identity, position, *replica, comm, writer,
            [this](int64_t bytes) { activity.done = bytes; });
}

void Trainer::Impl::collectLastEvaluation()
{
    if (background && background->pending())
        collectBackgroundEvaluation();
}

void Trainer::Impl::saveStopped()
{
    if (!targetReached && at.step > 0)
        save();
}

void Trainer::Impl::conclude()
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
            out.runStop(outcome.success ? "success" : "aborted", outcome.reason, epoch, at.samples);
    });
    agreeOnPending();
}

void Trainer::Impl::runAll()
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
