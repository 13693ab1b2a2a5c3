// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/baseline_check.h"

#include "base/translated.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

Result<void> checkBaseline(const QList<RunRecord>& runs, const Baseline& baseline)
{
    if (baseline.kind == Baseline::Kind::Smallest)
        return {};
    const QList<SpeedupRow> rows = speedupTable(runs, baseline);
    if (std::any_of(rows.begin(), rows.end(),
                    [](const SpeedupRow& row) { return row.baseline || row.rateBaseline; }))
        return {};
    if (baseline.kind == Baseline::Kind::Node)
        return Failure{u"usage"_s, Launcher::tr("No series has a run on one node that could be the "
                                                "baseline: give a number of workers.")};
    QSet<int> counts;
    for (const SpeedupRow& row : rows)
        if (!row.oversubscribed && (row.runs > 0 || row.meanSamplesPerSecond > 0))
            counts << row.workers;
    QList<int> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end());
    QStringList texts;
    for (const int count : std::as_const(sorted))
        texts << QString::number(count);
    return Failure{
        u"usage"_s,
        texts.isEmpty()
            ? Launcher::tr("No run has a time, so that none can be the baseline.")
            : Launcher::tr("No series has runs on %1 workers that could be the baseline; "
                           "there are runs on %2.")
                  .arg(QString::number(baseline.workers), texts.join(u", "_s))};
}

QString baselineText(const Baseline& baseline)
{
    switch (baseline.kind) {
    case Baseline::Kind::Workers:
        return baseline.workers == 1 ? Launcher::tr("one worker")
                                     : Launcher::tr("%1 workers").arg(baseline.workers);
    case Baseline::Kind::Node:
        return Launcher::tr("the most workers on one node");
    case Baseline::Kind::Smallest:
        break;
    }
    return Launcher::tr("the smallest worker count");
}

} // namespace scalebench
