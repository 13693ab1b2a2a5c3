// SPDX-License-Identifier: GPL-3.0-or-later
// When the network is evaluated, and the verdict on its quality.
#include "engine/train/trainer_impl.h"

#include "engine/report/result_file.h"
#include "engine/train/evaluation.h"
#include "engine/workloads/registry.h"

#include <algorithm>
#include <span>
#include <utility>

namespace scalebench::train {

void Trainer::Impl::resumeEvaluation()
{
    double owed = std::exchange(at.pendingEval, 0.0);
    if (owed == 0 && options.resume && at.epoch > config.epochs)
        owed = config.epochs;
    if (owed == 0)
        return;
    epoch = std::max(1, int(owed));
    startEvaluation(owed);
}

void Trainer::Impl::concludeEvaluation(double ofEpoch, int64_t samplesSeen,
                                       const workloads::Evaluator* mine)
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

double Trainer::Impl::epochsTrained() const
{
    return config.evaluation.unit == EvalUnit::Epochs ? epoch
                                                      : double(at.step) / double(stepsPerEpoch);
}

bool Trainer::Impl::evaluationIsDue() const
{
    const EvalCadence& cadence = config.evaluation;
    if (cadence.unit == EvalUnit::Epochs)
        return false; // between epochs
    const bool steps = cadence.unit == EvalUnit::Steps;
    const int64_t size = steps ? 1 : lastStepSamples;
    const int64_t done = steps ? at.step : at.samples;
    return cadence.upTo(done) > cadence.upTo(done - size);
}

bool Trainer::Impl::evaluationIsDueAfterEpoch() const
{
    const EvalCadence& cadence = config.evaluation;
    if (epoch == config.epochs)
        return !evaluationIsDue(); // else it was just done
    return cadence.unit == EvalUnit::Epochs && cadence.upTo(epoch) > cadence.upTo(epoch - 1);
}

void Trainer::Impl::evaluate()
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

void Trainer::Impl::startEvaluation(double ofEpoch)
{
    emit([&](report::RunStream& out) { out.evalStart(ofEpoch); });
    if (background)
        background->start(replica->backend(), replica->parameters(), ofEpoch, at.samples);
    else
        evaluateHere(ofEpoch);
}

void Trainer::Impl::evaluateHere(double ofEpoch)
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

void Trainer::Impl::collectBackgroundEvaluation()
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

} // namespace scalebench::train
