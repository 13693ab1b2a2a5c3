// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the processes of a Slurm job do on its nodes. Nobody may log in there, so a step of the job
// itself looks.

#include "run/suspension_watch.h"
#include "supervise/slurm_command.h"

#include <QElapsedTimer>

namespace scalebench {

class SlurmProcesses
{
public:
    /// Those that somebody suspended (SIGSTOP), by the nodes' own names for themselves. Waits for
    /// the answer, kSlurmMs at most; none comes where Slurm is older than 20.11. Slurm counts every
    /// step, so after some that found nothing it asks once a minute only.
    QList<SuspendedProcess> suspended(const QString& jobId, qsizetype nodes);

private:
    QElapsedTimer m_sinceCalled, m_sinceAsked;
    int m_inVain = 0;
};

/// For srun: one task on each of the job's nodes, beside what runs there.
QStringList lookingStep(const QString& jobId, qsizetype nodes);
/// Lines of other programs are ignored.
QList<SuspendedProcess> readSuspended(const SlurmAnswer& srun);

} // namespace scalebench
