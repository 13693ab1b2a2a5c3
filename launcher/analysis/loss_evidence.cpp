// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/loss_evidence.h"

#include "analysis/epoch_parts.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QMap>

#include <algorithm>

namespace scalebench {

static void addSteps(RowTimes& times, const RunRecord& run, double share)
{
    QMap<int, EpochParts> epochs;
    for (const EpochSplit& split : run.splits)
        epochs[split.epoch].add(split);
    for (const EpochParts& parts : std::as_const(epochs)) {
        const double weight = share / double(epochs.size()) / parts.ranks;
        times.stepMs += parts.step * weight;
        times.computeMs += parts.compute * weight;
        times.waitMs += parts.waits() * weight;
        times.exchangeMs += (parts.comm - parts.waits()) * weight;
        times.inputMs += parts.input * weight;
    }
}

static RowTimes timesOf(const QList<const RunRecord*>& runs)
{
    RowTimes times;
    times.runs = static_cast<int>(runs.size());
    for (const RunRecord* run : runs) {
        const double share = 1.0 / double(runs.size());
        times.workers = run->config.workers;
        times.timeS += run->timeToTrainS() * share;
        times.epochs += run->epochsToTarget() * share;
        times.samplesPerSecond += run->throughput * share;
        for (const EpochSummary& epoch : run->epochs)
            times.evaluationS += epoch.evalS * share;
        addSteps(times, *run, share);
        if (!run->runDir.isEmpty())
            times.runDirs << run->runDir;
    }
    return times;
}

std::optional<LossEvidence> lossEvidence(const QList<RunRecord>& runs, const LossShares& loss,
                                         const Baseline& baseline)
{
    const QList<SpeedupRow> rows = speedupTable(runs, baseline);
    const auto base = std::find_if(rows.begin(), rows.end(), [&loss](const SpeedupRow& row) {
        return row.baseline && row.group == loss.group;
    });
    if (base == rows.end())
        return std::nullopt;
    const RunSeries series(runs);
    const auto runsAt = [&](int workers, int nodes) {
        QList<const RunRecord*> found;
        for (int i = 0; i < runs.size(); ++i)
            if (const RunRecord& run = runs[i];
                hasTime(run) && !run.config.oversubscribed && run.config.workers == workers &&
                run.config.nodes == nodes && series.label(series.seriesOf(i)) == loss.group)
                found << &run;
        return found;
    };
    const LossEvidence evidence{timesOf(runsAt(base->workers, base->nodes)),
                                timesOf(runsAt(loss.workers, loss.nodes))};
    if (evidence.baseline.runs == 0 || evidence.here.runs == 0)
        return std::nullopt;
    return evidence;
}

} // namespace scalebench
