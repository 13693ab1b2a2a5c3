// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verification.h"

#include "analysis/compare.h"
#include "analysis/means.h"
#include "analysis/verify_causes.h"
#include "base/translated.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QHash>
#include <QLocale>
#include <QMap>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kNoSpeed = std::numeric_limits<double>::quiet_NaN();

QList<double> timesToTrain(const RunList& runs)
{
    QList<double> times;
    for (const RunRecord* run : runs)
        if (hasTime(*run))
            times << run->timeToTrainS();
    return times;
}

QList<double> ratesOf(const RunList& runs)
{
    QList<double> rates;
    for (const RunRecord* run : runs)
        if (hasRate(*run))
            rates << run->throughput;
    return rates;
}

/// By what they ran on: times of several systems have no mean.
QMap<QString, RunList> bySystem(const RunList& runs)
{
    QMap<QString, RunList> systems;
    for (const RunRecord* run : runs)
        systems[run->machine()] << run;
    return systems;
}

/// Of each system of the reference the cells that one of the study may be held against.
using Counterparts = QMap<QString, QList<RunCell>>;

/// By the runs, which are of one system.
QHash<const RunRecord*, Counterparts> counterparts(const RunList& runs,
                                                   const QMap<QString, RunList>& reference)
{
    QHash<const RunRecord*, Counterparts> found;
    const QList<RunCell> ours = runCells(runs);
    for (auto system = reference.begin(); system != reference.end(); ++system) {
        const QList<RunCell> theirs = runCells(system.value());
        const QList<QList<int>> matches = matchCells(ours, theirs);
        for (int i = 0; i < ours.size(); ++i)
            for (const int match : matches[i])
                if (theirs[match].workers == ours[i].workers)
                    for (const RunRecord* run : ours[i].runs)
                        found[run][system.key()] << theirs[match];
    }
    return found;
}

void measure(VerifiedItem& item, const RunList& runs, const RunList& reference)
{
    QList<double> ours = timesToTrain(runs), theirs = timesToTrain(reference);
    item.runs = static_cast<int>(ours.size());
    item.referenceRuns = static_cast<int>(theirs.size());
    item.timeS = olympicMean(ours);
    item.referenceS = olympicMean(theirs);
    item.speed = {kNoSpeed, kNoSpeed, kNoSpeed};
    item.referenceLow = item.referenceHigh = kNoSpeed;
    if (!ours.isEmpty() && !theirs.isEmpty()) {
        item.speed = ratioOfMeans(theirs, ours);
    } else if (theirs.isEmpty()) { // speed alone is comparable
        ours = ratesOf(runs);
        theirs = ratesOf(reference);
        item.ofThroughput = !ours.isEmpty() && !theirs.isEmpty();
        if (item.ofThroughput) {
            item.speed = ratioOfMeans(ours, theirs);
            item.runs = static_cast<int>(ours.size());
            item.referenceRuns = static_cast<int>(theirs.size());
        }
    }
    if (theirs.size() > 1) {
        const auto [least, most] = std::minmax_element(theirs.begin(), theirs.end());
        const double mean = olympicMean(theirs);
        item.referenceLow = item.ofThroughput ? *least / mean : mean / *most;
        item.referenceHigh = item.ofThroughput ? *most / mean : mean / *least;
    }
}

Verdict judgeSpeed(const VerifiedItem& item, double margin)
{
    const double least = 1 - margin;
    if (!std::isfinite(item.speed.low)) // single runs: said beside it
        return item.speed.ratio >= least ? Verdict::Pass : Verdict::Low;
    if (item.speed.low >= least)
        return Verdict::Pass;
    return item.speed.high < least ? Verdict::Low : Verdict::Open;
}

VerifiedItem verifyItem(const QString& name, const RunList& runs, const RunList& reference,
                        double margin)
{
    VerifiedItem item;
    item.name = name;
    item.workers = runs.first()->config.workers;
    measure(item, runs, reference);
    for (const RunRecord* run : runs)
        item.missed += run->state == RunState::NotConverged || run->state == RunState::Failed;
    item.causes = whyNotComparable(item, runs, reference);
    if (!item.causes.isEmpty() || !std::isfinite(item.speed.ratio)) {
        item.verdict = Verdict::Invalid;
        if (item.causes.isEmpty())
            item.causes << Launcher::tr("Neither side has a time, or samples/s, to compare.");
    } else {
        item.verdict = judgeSpeed(item, margin);
        if (item.verdict != Verdict::Pass)
            item.causes = whySlower(item, runs, reference, margin);
    }
    item.notes = whatToSay(item, runs, reference);
    return item;
}

/// The many systems of a reference that cannot be compared say no more than one of them.
QList<VerifiedItem> invalidOnce(const QList<VerifiedItem>& found, const QString& name)
{
    QList<VerifiedItem> kept;
    std::copy_if(found.begin(), found.end(), std::back_inserter(kept),
                 [](const VerifiedItem& item) { return item.verdict != Verdict::Invalid; });
    const qsizetype invalid = found.size() - kept.size();
    if (invalid < 2)
        return found;
    const auto number = [](qsizetype n) { return QLocale().toString(n); };
    if (kept.isEmpty()) {
        kept << found.first();
        kept[0].name = Launcher::tr("%1, against %2 systems").arg(name, number(invalid));
        kept[0].notes << Launcher::tr("What is said is of the first of %1 systems of the "
                                      "reference; none of them can be compared.")
                             .arg(number(invalid));
    } else {
        kept[0].notes << Launcher::tr("Further %1 systems of the reference cannot be compared.")
                             .arg(number(invalid));
    }
    return kept;
}

} // namespace

QString verdictText(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Pass:
        return u"PASS"_s;
    case Verdict::Low:
        return u"LOW"_s;
    case Verdict::Open:
        return u"OPEN"_s;
    case Verdict::Invalid:
        break;
    }
    return u"INVALID"_s;
}

RatioInterval VerifiedItem::told() const
{
    return verdict == Verdict::Invalid ? RatioInterval{kNoSpeed, kNoSpeed, kNoSpeed} : speed;
}

int Verification::count(Verdict verdict) const
{
    return static_cast<int>(
        std::count_if(items.begin(), items.end(),
                      [verdict](const VerifiedItem& item) { return item.verdict == verdict; }));
}

/// Of a verification of one item.
static QString notVerified(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Low:
        return Launcher::tr("Not verified: the one item is too slow.");
    case Verdict::Open:
        return Launcher::tr("Not verified: the one item is open, more repeats tell.");
    case Verdict::Pass:
    case Verdict::Invalid:
        break;
    }
    return Launcher::tr("Not verified: the one item cannot be compared with the reference.");
}

QString Verification::summary() const
{
    const auto number = [](int n) { return QLocale().toString(n); };
    if (items.isEmpty() && unknownWorkers > 0)
        return Launcher::tr("Nothing to verify: the runs do not tell on how many accelerators. "
                            "Import them again with --accelerators N.");
    if (items.isEmpty())
        return Launcher::tr("Nothing to verify: the reference has no run of the same workload on "
                            "the same number of workers, or of several settings not this one.");
    const QString share = QLocale().toString(100 * margin, 'f', 0);
    QString text;
    if (passed() && items.size() == 1)
        text = Launcher::tr("Verified: the one item is as fast as the reference, within %1 %.")
                   .arg(share);
    else if (passed())
        text = Launcher::tr("Verified: all %1 items are as fast as the reference, within %2 %.")
                   .arg(number(static_cast<int>(items.size())), share);
    else if (items.size() == 1)
        text = notVerified(items.first().verdict);
    else
        text = Launcher::tr("Not verified. Items: %1; that pass: %2, too slow: %3, open: %4, that "
                            "say nothing: %5.")
                   .arg(number(static_cast<int>(items.size())), number(count(Verdict::Pass)),
                        number(count(Verdict::Low)), number(count(Verdict::Open)),
                        number(count(Verdict::Invalid)));
    const auto ofRates = std::count_if(items.begin(), items.end(), [](const VerifiedItem& item) {
        return item.ofThroughput && item.verdict != Verdict::Invalid;
    });
    if (ofRates > 0)
        text += u' ' + Launcher::tr("Items compared by samples/s alone, for want of times: %1.")
                           .arg(number(static_cast<int>(ofRates)));
    if (withoutReference > 0)
        text += u' ' + Launcher::tr("Items that the reference does not have: %1.")
                           .arg(number(withoutReference));
    return text;
}

QString Verification::method() const
{
    return Launcher::tr("PASS: the 95 % interval of the speed over the reference's (Welch, on the "
                        "relative scale) lies above %1 %, the equivalence margin. LOW: it lies "
                        "below. OPEN: it holds the margin. INVALID: not comparable. Of single "
                        "runs the ratio itself is judged.")
        .arg(QLocale().toString(100 * (1 - margin), 'f', 0));
}

/// "resnet, bf16, 4 workers".
static QString itemName(const RunConfig& config, const QString& label)
{
    const QString what = label.contains(config.workload)
                             ? label
                             : config.workload + (label.isEmpty() ? QString() : u", "_s + label);
    return config.nodes > 1
               ? Launcher::tr("%1, %2 workers on %3 nodes")
                     .arg(what, QString::number(config.workers), QString::number(config.nodes))
           : config.workers == 1
               ? Launcher::tr("%1, 1 worker").arg(what)
               : Launcher::tr("%1, %2 workers").arg(what, QString::number(config.workers));
}

/// A cell of the study against every one that it may be held against; the same system alone, where
/// the reference has it among others.
static QList<VerifiedItem> verifyCell(const QString& name, const RunList& runs,
                                      const Counterparts& counterparts, double margin)
{
    Counterparts theirs = counterparts;
    if (const QString own = runs.first()->machine(); theirs.contains(own))
        theirs = {{own, counterparts.value(own)}};
    QList<VerifiedItem> found;
    for (auto system = theirs.begin(); system != theirs.end(); ++system)
        for (const RunCell& cell : system.value()) {
            QStringList against;
            if (theirs.size() > 1)
                against << system.key();
            if (system.value().size() > 1 && !cell.part.isEmpty())
                against << cell.part;
            found << verifyItem(
                against.isEmpty() ? name
                                  : Launcher::tr("%1, against %2").arg(name, against.join(u", "_s)),
                runs, cell.runs, margin);
        }
    return invalidOnce(found, name);
}

Verification verifyRuns(const QList<RunRecord>& runs, const QList<RunRecord>& reference,
                        double margin)
{
    Verification result;
    result.margin = margin;
    const RunSeries series(runs);
    QMap<std::array<int, 4>, RunList> cells; // series, workers, nodes, batch
    RunList all;
    for (int i = 0; i < runs.size(); ++i) {
        if (!isFinal(runs[i].state) || runs[i].state == RunState::Cancelled ||
            runs[i].state == RunState::Unreadable)
            continue;
        const RunConfig& c = runs[i].config;
        cells[{series.seriesOf(i), c.workers, c.nodes, c.globalBatch}] << &runs[i];
        all << &runs[i];
    }
    RunList theirs;
    for (const RunRecord& run : reference)
        theirs << &run;
    const QMap<QString, RunList> systems = bySystem(theirs);
    QHash<const RunRecord*, Counterparts> known;
    for (const RunList& ours : bySystem(all))
        known.insert(counterparts(ours, systems));
    for (auto it = cells.begin(); it != cells.end(); ++it) {
        const QMap<QString, RunList> ours = bySystem(it.value());
        const QString name = itemName(it.value().first()->config, series.label(it.key()[0]));
        for (auto own = ours.begin(); own != ours.end(); ++own) {
            const Counterparts counted = known.value(own.value().first());
            if (counted.isEmpty()) {
                ++result.withoutReference;
                result.unknownWorkers += it.key()[1] > 0 ? 0 : 1;
            } else {
                result.items << verifyCell(
                    ours.size() > 1 ? Launcher::tr("%1, on %2").arg(name, own.key()) : name,
                    own.value(), counted, margin);
            }
        }
    }
    return result;
}

} // namespace scalebench
