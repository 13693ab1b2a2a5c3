// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The detached process that owns one run: starts mpirun in a session of its own, writes
// status.json, stops on SIGTERM (USR1, TERM, KILL to the run), makes sure that nothing is left,
// then replaces itself by the supervisor of the next queued run.

#include "launcher/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

/// Body of `scalebench supervise STUDY RUN`. Returns the process exit code.
int superviseRun(const QString& studyDir, const QString& runId);

/// Starts `scalebench supervise` detached (own session, no terminal) for the first queued run.
/// Code "nothing_queued" when there is none.
Result<qint64> startSupervisor(const QString& studyDir);

/// Body of `scalebench serve study|run DIR`: sends the folder to who follows it through ssh, on
/// stdin and stdout (resources/protocol/remote_follow.md). `dir` may begin with "~/".
int serveFolder(const QString& kind, const QString& dir);

/// Body of `scalebench rsh HOST WORDS…`: what mpirun calls in ssh's place.
int runRshAgent(const QStringList& arguments);

/// If the run's supervisor is gone though its state is not final: ends what is left of the run and
/// writes the closing state ("supervisor_lost"). A Slurm job goes on without its supervisor: it
/// gets a new one. True when it had to do something. A copy of a study that runs elsewhere is left
/// alone.
bool recoverRun(const QString& runDir);

} // namespace scalebench
