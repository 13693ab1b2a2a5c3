// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verify_causes.h"

#include "analysis/compare.h"
#include "analysis/epoch_parts.h"
#include "analysis/means.h"
#include "base/translated.h"
#include "run/disturbance.h"
#include "run/run_metrics.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QLocale>
#include <QMap>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

QString roundNumber(double value)
{
    return QLocale().toString(value, 'f', value < 10 ? 1 : 0);
}

RunList completedOf(const RunList& runs)
{
    RunList completed;
    for (const RunRecord* run : runs)
        if (hasTime(*run))
            completed << run;
    return completed;
}

double meanEpochs(const RunList& runs)
{
    QList<double> epochs;
    for (const RunRecord* run : completedOf(runs))
        if (run->epochsToTarget() > 0)
            epochs << run->epochsToTarget();
    return olympicMean(epochs);
}

/// The reference tells one value of the kind and the runs another.
template <class Value>
bool isOther(const RunList& runs, const RunList& reference, const Value& valueOf)
{
    const auto ours = valueOf(*runs.first()), theirs = valueOf(*reference.first());
    using Told = std::decay_t<decltype(ours)>;
    return ours != Told() && theirs != Told() && ours != theirs;
}

/// "75.9 %", "none"; empty: an imported result that does not tell it.
QString toldTarget(const RunRecord& run)
{
    if (run.config.hasTarget())
        return targetText(run.config, -1);
    return hasOwnStream(run) ? Launcher::tr("none") : QString();
}

/// Without a target a run ends after its epochs, and says nothing beside one of others.
int lengthWithoutTarget(const RunRecord& run)
{
    return run.config.hasTarget() || !hasOwnStream(run) ? 0 : run.config.epochs;
}

/// Shares of the steps' time, over all ranks and epochs of the runs.
struct StepShares {
    double comm = 0, input = 0, waits = 0;
};
std::optional<StepShares> sharesOf(const RunList& runs)
{
    double step = 0;
    StepShares sum;
    for (const RunRecord* run : runs) {
        QMap<int, EpochParts> epochs;
        for (const EpochSplit& split : run->splits)
            epochs[split.epoch].add(split);
        for (const EpochParts& parts : std::as_const(epochs)) {
            step += parts.step;
            sum.waits += parts.waits();
            sum.comm += parts.comm - parts.waits();
            sum.input += parts.input;
        }
    }
    if (!(step > 0))
        return {};
    return StepShares{sum.comm / step, sum.input / step, sum.waits / step};
}

} // namespace

QStringList whyNotComparable(const VerifiedItem& item, const RunList& runs,
                             const RunList& reference)
{
    QStringList causes;
    for (const RunRecord* run : runs)
        if (const QString why = contradiction(*run); item.runs == 0 && !why.isEmpty())
            causes << why;
    const bool reached = std::any_of(runs.begin(), runs.end(), [](const RunRecord* run) {
        return run->state == RunState::Completed;
    });
    if (causes.isEmpty() && (item.runs == 0 || !reached))
        causes << Launcher::tr("No run reached its target.");
    if (std::all_of(runs.begin(), runs.end(),
                    [](const RunRecord* run) { return run->config.oversubscribed; }))
        causes << Launcher::tr("More workers than processors: the time says nothing.");
    const auto batch = [](const RunRecord& run) { return run.config.globalBatch; };
    if (isOther(runs, reference, batch))
        causes << Launcher::tr("Other batch: %1 instead of %2.")
                      .arg(QLocale().toString(batch(*runs.first())),
                           QLocale().toString(batch(*reference.first())));
    if (!item.ofThroughput && isOther(runs, reference, toldTarget))
        causes << Launcher::tr("Other target: %1 instead of %2.")
                      .arg(toldTarget(*runs.first()), toldTarget(*reference.first()));
    if (!item.ofThroughput && isOther(runs, reference, lengthWithoutTarget))
        causes << Launcher::tr("Other epochs, without a target: %1 instead of %2.")
                      .arg(QLocale().toString(lengthWithoutTarget(*runs.first())),
                           QLocale().toString(lengthWithoutTarget(*reference.first())));
    if (isOther(runs, reference, [](const RunRecord& run) { return run.config.dataSource; }))
        causes << Launcher::tr("Other data.");
    if (isOther(runs, reference, [](const RunRecord& run) { return run.config.scale; }))
        causes << Launcher::tr("Other scale: %1 instead of %2.")
                      .arg(runs.first()->config.scale, reference.first()->config.scale);
    const RunList completed = completedOf(runs);
    if (!completed.isEmpty() && std::all_of(completed.begin(), completed.end(),
                                            [](const RunRecord* run) { return isDisturbed(*run); }))
        causes += disturbances(*completed.first());
    return causes;
}

QStringList whySlower(const VerifiedItem& item, const RunList& runs, const RunList& reference,
                      double margin)
{
    QStringList causes;
    for (const RunRecord* run : runs)
        causes += disturbances(*run);
    const double ours = meanEpochs(runs), theirs = meanEpochs(reference);
    if (!item.ofThroughput && ours > theirs * (1 + margin))
        causes << Launcher::tr("More epochs to the target: %1 instead of %2.")
                      .arg(roundNumber(ours), roundNumber(theirs));
    if (const auto here = sharesOf(runs)) {
        const StepShares there = sharesOf(reference).value_or(StepShares());
        constexpr double kWorthSaying = 0.05; // of the steps' time, more than the reference
        const auto percent = [](double share) { return roundNumber(100 * share); };
        if (here->input - there.input > kWorthSaying)
            causes << Launcher::tr("Waiting for data takes %1 % of the steps' time.")
                          .arg(percent(here->input));
        if (here->waits - there.waits > kWorthSaying)
            causes << Launcher::tr("One worker is slower: the others wait for it for %1 % of the "
                                   "steps' time.")
                          .arg(percent(here->waits));
        if (here->comm - there.comm > kWorthSaying)
            causes << Launcher::tr("Communication that no computing hides takes %1 % of the steps' "
                                   "time.")
                          .arg(percent(here->comm));
    }
    if (isOther(runs, reference, [](const RunRecord& run) { return precisionText(run); }))
        causes << Launcher::tr("Other precision: %1 instead of %2.")
                      .arg(precisionText(*runs.first()), precisionText(*reference.first()));
    if (causes.isEmpty() && item.verdict == Verdict::Low)
        causes << Launcher::tr("The records name no cause: compare settings and environment on the "
                               "Compare page.");
    causes.removeDuplicates();
    return causes;
}

QStringList whatToSay(const VerifiedItem& item, const RunList& runs, const RunList& reference)
{
    QStringList notes;
    if (item.missed > 0)
        notes << Launcher::tr("runs without success: %1").arg(QLocale().toString(item.missed));
    if (!std::isfinite(item.speed.low) && std::isfinite(item.speed.ratio))
        notes << Launcher::tr("no interval: single runs");
    if (item.ofThroughput)
        notes << Launcher::tr("of samples/s");
    if (runs.first()->origin != reference.first()->origin)
        notes << Launcher::tr("reference only: other implementation");
    QStringList systems;
    for (const RunRecord* run : reference)
        systems << (run->workers.isEmpty() ? QString() : run->workers.first().deviceName);
    systems.removeDuplicates();
    if (systems.size() > 1)
        notes << Launcher::tr("several systems in the reference: %1")
                     .arg(QLocale().toString(systems.size()));
    QStringList marks;
    for (const RunRecord* run : runs)
        marks += conditionMarks(*run);
    marks.removeDuplicates();
    return notes + marks;
}

} // namespace scalebench
