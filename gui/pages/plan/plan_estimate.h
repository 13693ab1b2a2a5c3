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
};

/// Runs of the same workload and scale tell seconds per epoch, the nearer alike (workers,
/// precision, batch) the better, and how many epochs the same target took; failing these, the speed
/// of the same network.
TimeEstimate estimateTime(const QList<RunConfig>& runs, const QList<RunSummary>& history);
/// "about 3–5 min, from earlier runs here".
QString estimateText(const QList<RunConfig>& runs, const QList<RunSummary>& history);

/// What the checkpoints of all runs take on the disk at most: of each the newest and the one
/// before, with the optimizer's state. Data sets and streams not counted.
qint64 checkpointBytes(const QList<RunConfig>& runs);
/// "checkpoints up to 34 MB"; empty where nothing is known of the networks.
QString checkpointText(const QList<RunConfig>& runs);

} // namespace scalebench
