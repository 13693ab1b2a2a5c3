// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_record.h"

#include "base/translated.h"
#include "run/run_metrics.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static const char* const kStateNames[] = {"queued",   "starting",  "running",
                                          "stopping", "completed", "not_converged",
                                          "failed",   "cancelled", "not_readable"};

QString runStateName(RunState state)
{
    return QString::fromLatin1(kStateNames[int(state)]);
}

RunState runStateFromName(const QString& name)
{
    for (int i = 0; i < int(std::size(kStateNames)); ++i)
        if (name == QLatin1StringView(kStateNames[i]))
            return RunState(i);
    return RunState::Failed;
}

QString runStateTitle(RunState state)
{
    static const char* const titles[] = {QT_TRANSLATE_NOOP("Launcher", "Waiting"),
                                         QT_TRANSLATE_NOOP("Launcher", "Starting"),
                                         QT_TRANSLATE_NOOP("Launcher", "Running"),
                                         QT_TRANSLATE_NOOP("Launcher", "Stopping"),
                                         QT_TRANSLATE_NOOP("Launcher", "Completed"),
                                         QT_TRANSLATE_NOOP("Launcher", "Not converged"),
                                         QT_TRANSLATE_NOOP("Launcher", "Failed"),
                                         QT_TRANSLATE_NOOP("Launcher", "Cancelled"),
                                         QT_TRANSLATE_NOOP("Launcher", "Not readable")};
    return Launcher::tr(titles[int(state)]);
}

/// What a run may have of each. Far beyond real ones: a stream made to fill the memory gets no
/// further.
constexpr qsizetype kMostPoints = 5'000'000;
constexpr qsizetype kMostEpochs = 50'000;
constexpr qsizetype kMostWorkers = 20'000;
constexpr qsizetype kMostWarnings = 1000;

template <typename T>
static void append(QList<T>& list, const QList<T>& more, qsizetype most)
{
    list += more.first(std::clamp<qsizetype>(most - list.size(), 0, more.size()));
}

/// Sorted by rank; a rank that tells again (a resumed run) replaces what it told.
static void mergeWorker(QList<WorkerInfo>& workers, const WorkerInfo& worker)
{
    auto it = std::lower_bound(workers.begin(), workers.end(), worker.rank,
                               [](const WorkerInfo& w, int rank) { return w.rank < rank; });
    if (it != workers.end() && it->rank == worker.rank)
        *it = worker;
    else if (workers.size() < kMostWorkers)
        workers.insert(it, worker);
}

static void mergeEpoch(QList<EpochSummary>& epochs, const EpochSummary& part)
{
    auto it = std::lower_bound(epochs.begin(), epochs.end(), part.epoch,
                               [](const EpochSummary& e, int epoch) { return e.epoch < epoch; });
    if (it == epochs.end() || it->epoch != part.epoch) {
        if (epochs.size() >= kMostEpochs)
            return;
        it = epochs.insert(it, EpochSummary{part.epoch});
    }
    const auto take = [](auto& to, auto from) {
        if (from != 0)
            to = from;
    };
    take(it->samples, part.samples);
    take(it->seconds, part.seconds);
    take(it->trainS, part.trainS);
    take(it->evalS, part.evalS);
    take(it->trainLoss, part.trainLoss);
    take(it->samplesPerSecond, part.samplesPerSecond);
    take(it->bytesRead, part.bytesRead);
}

/// Samples by seconds. All epochs train the same number of samples, but for the last one, which may
/// end with the target: where an epoch's seconds are known, they say how much it was.
static double meanThroughput(const QList<EpochSummary>& epochs)
{
    double samples = 0, seconds = 0, ofWholeEpoch = 0;
    for (const EpochSummary& epoch : epochs) {
        if (epoch.samplesPerSecond <= 0)
            continue;
        const double part = epoch.trainS > 0   ? epoch.samplesPerSecond * epoch.trainS
                            : ofWholeEpoch > 0 ? ofWholeEpoch
                                               : 1;
        ofWholeEpoch = std::max(ofWholeEpoch, part);
        samples += part;
        seconds += part / epoch.samplesPerSecond;
    }
    return seconds > 0 ? samples / seconds : 0;
}

void RunRecord::apply(const RunDelta& delta)
{
    if (delta.stepsSoFar.size() == steps.size() + delta.steps.size())
        steps = delta.stepsSoFar;
    else
        for (const StepPoint& step : delta.steps)
            if (steps.size() < kMostPoints)
                steps << step;
    append(evals, delta.evals, kMostPoints);
    append(splits, delta.splits, kMostPoints);
    append(hostLoads, delta.hostLoads, kMostPoints);
    append(gpu, delta.gpu, kMostPoints);
    gpuReadings.readings += delta.gpuReadings.readings;
    gpuReadings.slowed += delta.gpuReadings.slowed;
    for (const QString& reason : delta.gpuReadings.reasons)
        if (!gpuReadings.reasons.contains(reason))
            gpuReadings.reasons << reason;
    for (const EpochSummary& part : delta.epochs)
        mergeEpoch(epochs, part);
    for (const WorkerInfo& worker : delta.workers)
        mergeWorker(workers, worker);
    append(warnings, delta.warnings, kMostWarnings);
    if (delta.error) {
        streamError = delta.error;
        streamErrorRank = delta.errorRank;
    }
    if (!delta.setup.isEmpty())
        setup = delta.setup;
    resumes += delta.resumes;
    pausedMs += delta.pausedMs;
    if (delta.runStartMs)
        runStartMs = *delta.runStartMs;
    if (delta.runStopMs)
        runStopMs = *delta.runStopMs;
    if (!delta.stopStatus.isEmpty())
        stopStatus = delta.stopStatus;
    if (!delta.stopReason.isEmpty())
        stopReason = delta.stopReason;
    if (!delta.phase.isEmpty()) {
        phase = delta.phase;
        phaseDone = delta.phaseDone;
        phaseTotal = delta.phaseTotal;
    }
    if (!delta.epochs.isEmpty())
        throughput = meanThroughput(epochs);
    foreignLines += delta.foreignLines;
    unknownKeys += delta.unknownKeys;
    sequenceGaps += delta.sequenceGaps;
    sequenceRepeats += delta.sequenceRepeats;
    secondStarts += delta.secondStarts;
}

RunDelta RunRecord::soFar(qint64 bytes) const
{
    RunDelta delta;
    delta.bytes = bytes;
    delta.steps = delta.stepsSoFar = steps;
    delta.evals = evals;
    delta.splits = splits;
    delta.epochs = epochs;
    delta.hostLoads = hostLoads;
    delta.gpu = gpu;
    delta.gpuReadings = gpuReadings;
    delta.workers = workers;
    delta.warnings = warnings;
    delta.error = streamError;
    delta.errorRank = streamErrorRank;
    delta.setup = setup;
    if (runStartMs > 0)
        delta.runStartMs = runStartMs;
    if (runStopMs > 0)
        delta.runStopMs = runStopMs;
    delta.resumes = resumes;
    delta.pausedMs = pausedMs;
    delta.stopStatus = stopStatus;
    delta.stopReason = stopReason;
    delta.phase = phase;
    delta.phaseDone = phaseDone;
    delta.phaseTotal = phaseTotal;
    delta.throughput = throughput;
    delta.foreignLines = foreignLines;
    delta.unknownKeys = unknownKeys;
    delta.sequenceGaps = sequenceGaps;
    delta.sequenceRepeats = sequenceRepeats;
    delta.secondStarts = secondStarts;
    return delta;
}

QString RunRecord::machine() const
{
    const QString named = config.json.value(QLatin1String("machine")).toString();
    if (!named.isEmpty() && origin.isEmpty())
        return named;
    return workers.isEmpty() ? QString() : workers.first().deviceName;
}

double RunRecord::bestQuality() const
{
    if (evals.isEmpty())
        return 0;
    const auto [least, most] =
        std::minmax_element(evals.begin(), evals.end(), [](const EvalPoint& a, const EvalPoint& b) {
            return a.value < b.value;
        });
    return metricsOf(config.workload).first().lowerIsBetter ? least->value
                                                            : std::max(0.0, most->value);
}

double RunRecord::lastQuality() const
{
    return evals.isEmpty() ? 0 : evals.last().value;
}

std::optional<double> RunRecord::bestOf(const QString& metric) const
{
    std::optional<double> best;
    for (const EvalPoint& point : evals)
        if (const std::optional<double> value = valueOf(point.metrics, metric))
            best = std::max(best.value_or(*value), *value);
    return best;
}

std::optional<double> RunRecord::lastOf(const QString& metric) const
{
    return evals.isEmpty() ? std::nullopt : valueOf(evals.last().metrics, metric);
}

bool RunRecord::meetsTargets(const EvalPoint& point) const
{
    if (!config.hasTarget() || point.value < config.target.value_or(point.value))
        return false;
    return std::all_of(config.furtherTargets.begin(), config.furtherTargets.end(),
                       [&point](const MetricValue& target) {
                           const auto value = valueOf(point.metrics, target.metric);
                           return value && *value >= target.value;
                       });
}

bool RunRecord::targetReached() const
{
    return std::any_of(evals.begin(), evals.end(),
                       [this](const EvalPoint& point) { return meetsTargets(point); });
}

double RunRecord::epochsToTarget() const
{
    for (const EvalPoint& point : evals)
        if (meetsTargets(point))
            return point.epoch;
    double last = epochs.isEmpty() ? epochsTold : epochs.last().epoch;
    if (!evals.isEmpty())
        last = std::max(last, evals.last().epoch);
    return last;
}

bool RunRecord::evalsPlaced() const
{
    return evals.size() != 1 || evals.first().epoch > 0 || evals.first().samples > 0 ||
           !steps.isEmpty() || !epochs.isEmpty();
}

double RunRecord::elapsedS() const
{
    const double trained = timeToTrainS();
    return trained > 0 ? trained + pausedMs / 1000 : 0;
}

/// Between two readings of one attempt: in the pause before it was gone on with others used the
/// GPU. A counter that fell began anew.
static bool isMeasuredBetween(const GpuPoint& before, const GpuPoint& after)
{
    return after.attempt == before.attempt && after.energyJ >= before.energyJ &&
           after.seconds > before.seconds;
}

double RunRecord::energyJ() const
{
    double joules = 0;
    for (const HostLoad& load : hostLoads)
        joules += load.energyJ;
    double gpuJoules = 0, measuredS = 0;
    QList<int> readings(resumes + 1); // of each attempt
    const GpuPoint* before = nullptr;
    for (const GpuPoint& point : gpu) {
        if (!std::isfinite(point.energyJ))
            continue;
        ++readings[std::clamp(point.attempt, 0, resumes)];
        if (before && isMeasuredBetween(*before, point)) {
            gpuJoules += point.energyJ - before->energyJ;
            measuredS += point.seconds - before->seconds;
        }
        before = &point;
    }
    if (!before)
        return joules;
    if (std::any_of(readings.begin(), readings.end(), [](int n) { return n < 2; }) ||
        !(gpuJoules > 0))
        return 0;
    // The readings begin soon after the clock and end before it.
    const double seconds = std::max(timeToTrainS(), measuredS);
    return joules + gpuJoules / measuredS * seconds * config.workers;
}

double RunRecord::timeToTrainS() const
{
    return runStartMs > 0 && runStopMs > 0 ? (runStopMs - runStartMs) / 1000 : 0;
}

double RunRecord::epochsTrained() const
{
    double seen = steps.isEmpty() ? 0 : steps.last().epoch;
    if (!evals.isEmpty())
        seen = std::max(seen, evals.last().epoch);
    const double whole = epochs.isEmpty() ? 0 : epochs.last().epoch;
    // The target ends an epoch where it is reached.
    const bool cut = !evals.isEmpty() && meetsTargets(evals.last()) && seen > whole - 1;
    return cut ? seen : std::max(seen, whole);
}

double RunRecord::progress() const
{
    if (isFinal(state) || runStopMs > 0 || targetReached())
        return 1;
    if (config.epochs <= 0)
        return 0;
    return std::clamp(epochsTrained() / config.epochs, 0.0, 1.0);
}

double RunRecord::etaSeconds() const
{
    if (isFinal(state) || runStopMs > 0 || targetReached())
        return 0;
    double elapsed = steps.isEmpty() ? 0 : steps.last().seconds;
    if (!evals.isEmpty())
        elapsed = std::max(elapsed, evals.last().seconds);
    const double done = epochsTrained();
    if (done <= 0 || elapsed <= 0 || config.epochs <= 0)
        return -1;
    // From the first record on: what comes before it is start-up, and most of the time at first.
    const bool several = steps.size() > 1 && steps.first().epoch < done;
    const double measuredEpochs = several ? done - steps.first().epoch : done;
    const double measuredS = several ? elapsed - steps.first().seconds : elapsed;
    constexpr double kSensibleShare = 0.05, kSensibleS = 20;
    if (measuredS <= 0 || (measuredEpochs < 1 && measuredS < kSensibleS &&
                           measuredEpochs < kSensibleShare * config.epochs))
        return -1;
    return std::max(0.0, (config.epochs - done) * measuredS / measuredEpochs);
}

} // namespace scalebench
