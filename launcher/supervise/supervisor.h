// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The detached process that owns one run: starts mpirun in a session of its own, writes
// status.json, stops on SIGTERM (USR1, TERM, KILL to the run), makes sure that nothing is left,
// then replaces itself by the supervisor of the next queued run.

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

/// Body of `scalebench supervise STUDY RUN`. Returns the process exit code.
int superviseRun(const QString& studyDir, const QString& runId);

/// Starts `scalebench supervise` detached (own session, no terminal) for the first queued run.
/// Code "nothing_queued" when there is none.
Result<qint64> startSupervisor(const QString& studyDir);

/// If the run's supervisor is gone though its state is not final: ends what is left of the run and
/// writes the closing state ("supervisor_lost"). A Slurm job goes on without its supervisor: it
/// gets a new one. True when it had to do something. A copy of a study that runs elsewhere is left
/// alone.
bool recoverRun(const QString& runDir);

} // namespace scalebench
