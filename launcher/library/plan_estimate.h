// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How long a plan will take, from what was measured here before. Pure.

#include "library/library.h"
#include "study/run_config.h"

namespace scalebench {

struct TimeEstimate {
    double low = 0, high = 0; ///< seconds of the runs that something is known of
    int known = 0, unknown = 0;
    bool fromSpeed = false; ///< some only from a speed: if all epochs are needed
    bool capped = false;
    double joulesLow = 0, joulesHigh = 0; ///< of those runs whose kind told its energy before
    int energyKnown = 0;
};

/// Runs of the same workload and scale tell seconds per epoch, the nearer alike (workers,
/// precision, batch) the better, and how many epochs the same target took; failing these, the speed
/// of the same network.
TimeEstimate estimateTime(const QList<RunConfig>& runs, const QList<RunSummary>& history);
/// The same where the study says what it may cost: with a number of minutes no run begins after
/// them; with `stopAfterTarget` the runs of a workload may end with the first that reaches its
/// target. `capped`: its minutes end it before all its runs are done.
TimeEstimate estimateTime(const QList<RunConfig>& runs, const QList<RunSummary>& history,
                          const StudySpec& limits);
/// "about 3–5 min, from earlier runs here"; with what the study's limits make of it, and of a
/// target machine "from earlier runs on lab".
QString estimateText(const QList<RunConfig>& runs, const QList<RunSummary>& history,
                     const StudySpec& limits = {});
/// "about 12–14 Wh"; empty where no earlier run of the kind told its energy.
QString energyText(const QList<RunConfig>& runs, const QList<RunSummary>& history,
                   const StudySpec& limits = {});
/// The past runs that say something of `machine`: its own, or with an empty name, those of none of
/// the machines called `others`.
QList<RunSummary> historyOf(const QList<RunSummary>& all, const QString& machine,
                            const QStringList& others);

/// What the checkpoints of all runs take on the disk at most: of each the newest and the one
/// before, with the optimizer's state. Data sets and streams not counted.
qint64 checkpointBytes(const QList<RunConfig>& runs);
/// "checkpoints up to 34 MB"; empty where nothing is known of the networks.
QString checkpointText(const QList<RunConfig>& runs);

} // namespace scalebench
