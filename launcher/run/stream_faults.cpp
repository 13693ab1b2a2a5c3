// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/stream_faults.h"

#include "base/translated.h"
#include "run/imported_study.h"
#include "run/run_metrics.h"
#include "run/run_record.h"

#include <QLocale>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Seconds and rates are not below 0, a quality not beyond the best there is.
QString impossibleValue(const RunRecord& run)
{
    for (const EpochSummary& epoch : run.epochs)
        if (epoch.trainS < 0 || epoch.evalS < 0 || epoch.samplesPerSecond < 0)
            return Launcher::tr("Epoch %1 of its stream tells a time or samples/s below 0.")
                .arg(epoch.epoch);
    const double most = mostOf(leadingUnit(run.config.workload));
    for (const EvalPoint& point : run.evals)
        if (point.value > most)
            return Launcher::tr("An evaluation in its stream tells a quality that cannot be: %1.")
                .arg(qualityText(run.config.workload, point.value));
    return {};
}

} // namespace

bool hasOwnStream(const RunRecord& run)
{
    static const QString bundle = imports::originTitle(u"bundle"_s);
    return run.origin.isEmpty() || run.origin == bundle;
}

bool hasLostRecords(const RunRecord& run)
{
    return run.sequenceGaps > 0 || run.sequenceRepeats > 0 || run.foreignLines > 0;
}

QString contradiction(const RunRecord& run)
{
    if (run.state != RunState::Completed || !hasOwnStream(run))
        return {};
    if (run.secondStarts > 0)
        return Launcher::tr("Its stream begins %1 times (run_start), as if it were that of several "
                            "runs.")
            .arg(run.secondStarts + 1);
    if (!run.stopStatus.isEmpty() && run.stopStatus != QLatin1String("success"))
        return Launcher::tr("It is called completed, but its stream ended with \"%1\".")
            .arg(run.stopStatus);
    // Not even in part: gone, emptied, or cut off at its beginning.
    if (!(run.runStartMs > 0))
        return Launcher::tr("It is called completed, but its stream is empty, missing or without "
                            "its beginning (run_start).");
    if (!(run.runStopMs > 0))
        return Launcher::tr("It is called completed, but its stream has no end (run_stop).");
    if (run.runStopMs < run.runStartMs)
        return Launcher::tr("Its stream ends before it begins.");
    // The evaluation that reached the target may be among what was lost.
    if (run.config.hasTarget() && !run.evals.isEmpty() && run.sequenceGaps == 0 &&
        !run.targetReached())
        return Launcher::tr("It is called completed, but no evaluation in its stream reaches the "
                            "target.");
    return impossibleValue(run);
}

bool hasTime(const RunRecord& run)
{
    return run.state == RunState::Completed && run.timeToTrainS() > 0 &&
           contradiction(run).isEmpty();
}

bool hasRate(const RunRecord& run)
{
    return run.throughput > 0 && contradiction(run).isEmpty();
}

QStringList streamFaults(const RunRecord& run)
{
    QStringList sentences;
    if (hasLostRecords(run))
        sentences << Launcher::tr("Of its stream, records that are missing: %1, that came twice: "
                                  "%2, lines that are no record: %3. Its figures may be wrong.")
                         .arg(QLocale().toString(run.sequenceGaps),
                              QLocale().toString(run.sequenceRepeats),
                              QLocale().toString(run.foreignLines));
    if (const QString why = contradiction(run); !why.isEmpty())
        sentences << Launcher::tr("%1 It counts for no mean.").arg(why);
    return sentences;
}

} // namespace scalebench
