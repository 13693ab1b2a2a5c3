// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The job of a supervisor that died between sbatch's work and its own note of the job's number:
// Slurm knows it, by the folder it works in.

#include "supervise/slurm_command.h"

#include <QString>

namespace scalebench {

/// Its number; empty where this user has no such job, or Slurm does not answer.
QString forgottenJob(const QString& runDir);
/// The same where sbatch may still be at it, some seconds at most; a thread that is asked to end
/// (QThread::requestInterruption) waits no longer.
QString awaitForgottenJob(const QString& runDir);
/// Until none is left.
void endForgottenJobs(const QString& runDir);

/// In squeue's answer, lines of "number|folder".
QString jobOfFolder(const SlurmAnswer& squeue, const QString& runDir);

} // namespace scalebench
