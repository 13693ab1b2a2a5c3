// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/plan_estimate.h"

#include "base/duration_text.h"
#include "study/dimensions.h"
#include "study/memory_need.h"
#include "study/workload_catalog.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

using namespace Qt::Literals::StringLiterals;

namespace scalebench {

namespace {

constexpr double kLow = 0.85, kHigh = 1.2; ///< around a single measurement

struct Range {
    double low, high;
    double watts = 0; ///< 0: not told
};

/// How like the run a past one is: fewer differences count less.
int differences(const RunConfig& run, const RunSummary& past)
{
    return (past.workers != run.workers ? 4 : 0) + (past.precision != run.precision ? 2 : 0) +
           (past.globalBatch != run.globalBatch ? 1 : 0);
}

Range secondsAs(const RunConfig& run, const RunSummary& past)
{
    const double perEpoch = past.timeToTrainS / past.epochs * past.workers / run.workers;
    const bool sameTarget = run.target && past.target > 0 && past.quality >= past.target &&
                            std::abs(*run.target - past.target) < 1e-9;
    const double needed = std::min<double>(past.epochs, run.epochs);
    if (sameTarget)
        return {perEpoch * needed, perEpoch * needed};
    return {perEpoch * (run.hasTarget() ? needed : run.epochs), perEpoch * run.epochs};
}

/// 0: as many as the files have, which is not known here.
double samplesPerEpoch(const RunConfig& run)
{
    return valueAt(run.json, u"data.train_samples"_s).toDouble();
}

/// Of a part of the data, as in a trial: its epochs tell nothing of whole ones. What it trained on
/// is at most its speed times all its time, of which evaluations are a part.
bool hadFewerSamples(const RunSummary& past, const RunConfig& run)
{
    const double most = past.samplesPerSecond * past.timeToTrainS / past.epochs;
    return most > 0 && samplesPerEpoch(run) > 2 * most;
}

std::optional<Range> fromHistory(const RunConfig& run, const QList<RunSummary>& history)
{
    int least = 1 << 30, count = 0, told = 0;
    double watts = 0;
    Range range{0, 0};
    for (const RunSummary& past : history) {
        if (past.workload != run.workload || past.scale != run.scale || past.device != run.device ||
            past.timeToTrainS <= 0 || past.epochs <= 0 || past.workers < 1 ||
            past.state != RunState::Completed || hadFewerSamples(past, run))
            continue;
        const int differ = differences(run, past);
        if (differ > least)
            continue;
        const Range one = secondsAs(run, past);
        if (differ < least) {
            least = differ;
            count = told = 0;
            watts = 0;
            range = one;
        }
        told += past.energyJ > 0 ? 1 : 0;
        watts += past.energyJ / past.timeToTrainS;
        range = {std::min(range.low, one.low), std::max(range.high, one.high)};
        ++count;
    }
    if (count == 0)
        return std::nullopt;
    // One run, or several that agree by chance, are no measure of the spread.
    const double middle = (range.low + range.high) / 2;
    return Range{std::min(range.low, middle * kLow), std::max(range.high, middle * kHigh),
                 told > 0 ? watts / told : 0};
}

std::optional<Range> fromSpeed(const RunConfig& run, const QList<RunSummary>& history)
{
    // Samples times epochs over the last speed of the same network here, on the same threads in
    // all.
    const Workload* workload = WorkloadCatalog::instance().find(run.workload);
    const WorkloadScale* scale = workload ? workload->scale(run.scale) : nullptr;
    const double own = samplesPerEpoch(run);
    const double samples = own > 0 || !scale ? own : double(scale->trainSamples);
    if (!workload || samples <= 0)
        return std::nullopt;
    const RunSummary* latest = nullptr;
    for (const RunSummary& past : history) {
        const WorkloadScale* other =
            past.workload == run.workload ? workload->scale(past.scale) : nullptr;
        if (other && other->model == run.model && past.device == run.device &&
            past.samplesPerSecond > 0 && (!latest || past.createdMs > latest->createdMs))
            latest = &past;
    }
    if (!latest)
        return std::nullopt;
    const double seconds = samples * run.epochs / latest->samplesPerSecond;
    const double watts = latest->timeToTrainS > 0 ? latest->energyJ / latest->timeToTrainS : 0.0;
    return Range{seconds * kLow, seconds * kHigh, watts};
}

class PlanEstimateTexts
{
    Q_DECLARE_TR_FUNCTIONS(PlanEstimate)
};

} // namespace

TimeEstimate estimateTime(const QList<RunConfig>& runs, const QList<RunSummary>& history,
                          const StudySpec& limits)
{
    TimeEstimate estimate;
    double longest = 0;
    QSet<QString> begun; // workload and scale: a run of it may have reached the target
    // Repeats, and settings that nothing is known of, take as long: looked up once.
    QHash<QString, std::pair<std::optional<Range>, bool>> known;
    for (const RunConfig& run : runs) {
        const QString key =
            QStringLiteral("%1|%2|%3|%4|%5|%6|%7|%8")
                .arg(run.workload, run.scale, run.device, run.precision, run.model)
                .arg(run.workers)
                .arg(run.globalBatch)
                .arg(QStringLiteral("%1|%2").arg(run.epochs).arg(run.target.value_or(-1)));
        auto found = known.find(key);
        if (found == known.end()) {
            std::pair<std::optional<Range>, bool> entry{fromHistory(run, history), false};
            if (!entry.first)
                entry = {fromSpeed(run, history), true};
            found = known.insert(key, entry);
        }
        if (!found->first) {
            ++estimate.unknown;
            continue;
        }
        ++estimate.known;
        const Range& range = *found->first;
        const QString kind = run.workload + QLatin1Char(' ') + run.scale;
        const bool sure = !limits.stopAfterTarget || !begun.contains(kind);
        estimate.low += sure ? range.low : 0;
        estimate.joulesLow += sure ? range.low * range.watts : 0;
        estimate.joulesHigh += range.high * range.watts;
        estimate.energyKnown += range.watts > 0 ? 1 : 0;
        if (run.hasTarget())
            begun << kind;
        estimate.high += range.high;
        longest = std::max(longest, range.high);
        estimate.fromSpeed |= found->second;
    }
    const double most = limits.maxMinutes * 60.0;
    if (most > 0 && estimate.high > most) {
        estimate.capped = true;
        const double share = std::min(1.0, (most + longest) / estimate.high);
        estimate.joulesLow = std::min(estimate.joulesLow, estimate.joulesHigh * share);
        estimate.joulesHigh *= share;
        estimate.low = std::min(estimate.low, most);
        estimate.high = std::min(estimate.high, most + longest); // the last one ends as usual
    }
    return estimate;
}

TimeEstimate estimateTime(const QList<RunConfig>& runs, const QList<RunSummary>& history)
{
    return estimateTime(runs, history, StudySpec());
}

static QString unlimitedText(const QList<RunConfig>& runs, const TimeEstimate& time,
                             const QString& machine)
{
    const auto where = [&machine](const QString& here, const QString& there) {
        return machine.isEmpty() ? here : there.arg(machine);
    };
    if (time.known == 0) {
        const bool desk =
            machine.isEmpty() && std::all_of(runs.begin(), runs.end(), [](const RunConfig& run) {
                return run.scale == QLatin1String("desk");
            });
        return desk ? PlanEstimateTexts::tr("minutes each on two cores (first run here)")
                    : where(PlanEstimateTexts::tr("time unknown before the first run here"),
                            PlanEstimateTexts::tr("time unknown before the first run on %1"));
    }
    const QString range = durationRangeText(time.low, time.high);
    if (time.unknown > 0 && machine.isEmpty())
        return PlanEstimateTexts::tr("%1 and what %n run(s) take that are new here", nullptr,
                                     time.unknown)
            .arg(range);
    if (time.unknown > 0)
        return PlanEstimateTexts::tr("%1 and what %n run(s) take that are new on %2", nullptr,
                                     time.unknown)
            .arg(range, machine);
    if (machine.isEmpty())
        return (time.fromSpeed
                    ? PlanEstimateTexts::tr(
                          "%1 if all epochs are needed, from the speed of earlier runs here")
                    : PlanEstimateTexts::tr("%1, from earlier runs here"))
            .arg(range);
    return (time.fromSpeed
                ? PlanEstimateTexts::tr(
                      "%1 if all epochs are needed, from the speed of earlier runs on %2")
                : PlanEstimateTexts::tr("%1, from earlier runs on %2"))
        .arg(range, machine);
}

QString estimateText(const QList<RunConfig>& runs, const QList<RunSummary>& history,
                     const StudySpec& limits)
{
    const TimeEstimate time = estimateTime(runs, history, limits);
    QStringList parts{unlimitedText(runs, time, limits.machine)};
    if (time.capped)
        parts << PlanEstimateTexts::tr("no run begins after %n minute(s), so not all will", nullptr,
                                       limits.maxMinutes);
    else if (limits.maxMinutes > 0)
        parts << PlanEstimateTexts::tr("no run begins after %n minute(s)", nullptr,
                                       limits.maxMinutes);
    if (limits.stopAfterTarget &&
        std::any_of(runs.begin(), runs.end(), [](const RunConfig& run) { return run.hasTarget(); }))
        parts << PlanEstimateTexts::tr("less once a target is reached");
    return parts.join(QStringLiteral("; "));
}

/// "85–120 Wh"; one figure where both ends read alike.
static QString energyRange(double lowJ, double highJ)
{
    const bool kilo = highJ >= 3.6e6;
    const auto text = [kilo](double joules) {
        const double value = joules / (kilo ? 3.6e6 : 3600);
        return QLocale().toString(value, 'f', value < 10 ? 1 : 0);
    };
    const QString low = text(lowJ), high = text(highJ);
    return (low == high ? high : low + QChar(0x2013) + high) +
           (kilo ? QStringLiteral(" kWh") : QStringLiteral(" Wh"));
}

QString energyText(const QList<RunConfig>& runs, const QList<RunSummary>& history,
                   const StudySpec& limits)
{
    const TimeEstimate estimate = estimateTime(runs, history, limits);
    if (estimate.energyKnown == 0)
        return {};
    const QString range = energyRange(estimate.joulesLow, estimate.joulesHigh);
    return estimate.energyKnown < runs.size()
               ? PlanEstimateTexts::tr(
                     "about %1 for the %n run(s) whose kind told its energy before", nullptr,
                     estimate.energyKnown)
                     .arg(range)
               : PlanEstimateTexts::tr("about %1").arg(range);
}

QList<RunSummary> historyOf(const QList<RunSummary>& all, const QString& machine,
                            const QStringList& others)
{
    QList<RunSummary> mine = all;
    mine.removeIf([&](const RunSummary& run) {
        return machine.isEmpty() ? others.contains(run.machine) : run.machine != machine;
    });
    return mine;
}

qint64 checkpointBytes(const QList<RunConfig>& runs)
{
    qint64 bytes = 0;
    for (const RunConfig& run : runs)
        bytes += 2 * checkpointBytes(run.json); // the newest and the one before
    return bytes;
}

QString checkpointText(const QList<RunConfig>& runs)
{
    const qint64 bytes = checkpointBytes(runs);
    return bytes > 0 ? PlanEstimateTexts::tr("checkpoints up to %1")
                           .arg(QLocale().formattedDataSize(bytes, 0, QLocale::DataSizeSIFormat))
                     : QString();
}

} // namespace scalebench
