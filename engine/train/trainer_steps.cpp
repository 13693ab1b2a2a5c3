// SPDX-License-Identifier: GPL-3.0-or-later
// One training step, and what is recorded of it.
#include "engine/train/trainer_impl.h"

#include <utility>

namespace scalebench::train {

void Trainer::Impl::trainStep(StepSplit& epochSplit)
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

void Trainer::Impl::account(StepDone& done, double lossSum, StepSplit& epochSplit)
{
    at.epochLossSum += lossSum * done.lossScale;
    ++at.epochSteps;
    done.split.lossSum = lossSum * done.lossScale;
    epochSplit.add(done.split);
    sinceRecord.add(done.split);
    recordStep(done);
}

void Trainer::Impl::settle(StepSplit& epochSplit)
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

void Trainer::Impl::recordStep(const StepDone& done)
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

} // namespace scalebench::train
