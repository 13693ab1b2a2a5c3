// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One run from start to verdict, as its supervisor process watches over it.

#include "run/run_status.h"

#include <QString>

namespace scalebench {

struct SupervisedRun {
    int exitCode = 0; ///< of the supervisor: 3 where nothing could be started, 130 where stopped
    bool stopRequested = false;
    bool retried = false; ///< it is in the queue again
};

/// TERM and INT ask the run to stop; a second one a moment later ends it at once. Blocks until it
/// has ended and nothing of it is left. To be called after prepareSupervisorSignals()
/// (supervisor_signals.h).
SupervisedRun superviseOneRun(const QString& studyDir, const QString& runId);

/// What runs on though its supervisor is gone: a Slurm job.
bool goesOnAlone(const RunStatus& status);

} // namespace scalebench
