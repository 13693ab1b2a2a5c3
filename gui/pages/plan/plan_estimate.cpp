// SPDX-License-Identifier: GPL-3.0-or-later
// How long a plan will take, from what was measured before.
#include "launcher/run_config.h"
#include "launcher/workload_catalog.h"
#include "pages/plan/plan_page.h"
#include "widgets/widgets.h"

namespace scalebench {

double PlanPage::secondsFromHistory(const RunConfig& run) const
{
    // What the same workload took here before; a worker count never run is scaled from another.
    double sum = 0;
    int count = 0;
    double nearest = -1;
    for (const RunSummary& past : m_history) {
        if (past.workload != run.workload || past.scale != run.scale || past.device != run.device ||
            past.timeToTrainS <= 0 || past.state != RunState::Completed)
            continue;
        const double time = past.timeToTrainS * past.workers / run.workers;
        nearest = nearest < 0 ? time : (nearest + time) / 2;
        if (past.workers == run.workers) {
            sum += past.timeToTrainS;
            ++count;
        }
    }
    return count > 0 ? sum / count : nearest;
}

double PlanPage::secondsFromSpeed(const RunConfig& run) const
{
    // Samples times epochs over the last speed of the same network here, on the same threads in
    // all.
    const Workload* workload = WorkloadCatalog::instance().find(run.workload);
    const WorkloadScale* scale = workload ? workload->scale(run.scale) : nullptr;
    if (!scale || scale->trainSamples <= 0)
        return -1;
    const RunSummary* latest = nullptr;
    for (const RunSummary& past : m_history) {
        const WorkloadScale* other =
            past.workload == run.workload ? workload->scale(past.scale) : nullptr;
        if (other && other->model == run.model && past.device == run.device &&
            past.samplesPerSecond > 0 && (!latest || past.createdMs > latest->createdMs))
            latest = &past;
    }
    if (!latest)
        return -1;
    return static_cast<double>(scale->trainSamples) * run.epochs / latest->samplesPerSecond;
}

QString PlanPage::estimateText(const QList<RunConfig>& runs) const
{
    if (m_remote)
        return tr("the time depends on the hosts");
    double total = 0;
    bool fromSpeed = false;
    for (const RunConfig& run : runs) {
        double seconds = secondsFromHistory(run);
        if (seconds < 0) {
            seconds = secondsFromSpeed(run);
            fromSpeed = true;
        }
        if (seconds < 0) {
            return run.scale == QLatin1String("desk")
                       ? tr("about a minute or two each on two cores (first run here)")
                       : tr("time unknown before the first run here");
        }
        total += seconds;
    }
    return fromSpeed ? tr("%1 if all epochs are needed, from the speed of earlier runs here")
                           .arg(durationRangeText(total))
                     : tr("%1, from earlier runs here").arg(durationRangeText(total));
}

} // namespace scalebench
