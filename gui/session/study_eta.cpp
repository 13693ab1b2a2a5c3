// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/study_eta.h"

#include <QSet>

#include <algorithm>

namespace scalebench {

static QString kindOf(const RunRecord& run)
{
    return run.config.workload + QLatin1Char(' ') + run.config.scale;
}

double studyEtaSeconds(const Study& study, int current, bool onlyThisRun)
{
    const QList<RunRecord>& runs = study.runs;
    if (current < 0 || current >= runs.size())
        return -1;
    const RunRecord& run = runs[current];
    const double left = run.etaSeconds();
    if (left < 0 || onlyThisRun)
        return left;
    const double elapsed = run.steps.isEmpty() ? 0 : run.steps.last().seconds;
    double used = elapsed + left;
    QSet<QString> done{kindOf(run)}; // it is taken to reach its target
    for (const RunRecord& other : runs) {
        if (other.startedMs > 0 && other.finishedMs > other.startedMs)
            used += static_cast<double>(other.finishedMs - other.startedMs) / 1000;
        if (other.state == RunState::Completed && other.config.hasTarget())
            done.insert(kindOf(other));
    }
    // A queued run is taken to do the same work, shared by its workers.
    const double workOfOne = (elapsed + left) * run.config.workers;
    double queued = 0;
    for (const RunRecord& other : runs) {
        if (other.state != RunState::Queued)
            continue;
        if (study.spec.maxMinutes > 0 && used + queued >= study.spec.maxMinutes * 60.0)
            break;
        if (study.spec.stopAfterTarget && done.contains(kindOf(other)))
            continue;
        done.insert(kindOf(other));
        queued += workOfOne / std::max(1, other.config.workers);
    }
    return left + queued;
}

} // namespace scalebench
