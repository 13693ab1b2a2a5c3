// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What Slurm's programs say, as values and sentences. Pure functions.

#include "base/result.h"
#include "supervise/slurm_command.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

namespace scalebench {

/// A line of squeue in kSqueueFormat.
inline constexpr char kSqueueFormat[] = "%T|%r|%S|%N";
struct SlurmQueueState {
    bool known = false; ///< Slurm answered
    bool gone = false;  ///< no longer listed
    QString state;      ///< "PENDING", "RUNNING", "COMPLETING", …
    QString reason;
    QDateTime estimatedStart;
    QStringList nodes;     ///< while COMPLETING those that have not finished
    bool hasEnded() const; ///< and nothing of it is left on its nodes
};
SlurmQueueState readQueueState(const SlurmAnswer& answer);

/// "Waiting in Slurm's queue: other jobs come first; estimated start 14:05".
QString waitingText(const SlurmQueueState& state, const QDateTime& now);

/// How a job ended, from `scontrol -o show job` or sacct.
struct SlurmJobEnd {
    bool known = false;
    QString state;  ///< "TIMEOUT", …
    QString reason; ///< "JobLaunchFailure", …
    int exitCode = 0, signal = 0;
    QStringList nodes; ///< that it had; scontrol only
    QString text;      ///< Slurm's own words
};
SlurmJobEnd readJobEnd(const SlurmAnswer& scontrol);
SlurmJobEnd readAccounting(const SlurmAnswer& sacct);

/// Why sbatch did not take the job. Codes: slurm_missing, slurm_partition, slurm_account,
/// slurm_gres, slurm_time_limit, slurm_nodes, slurm_unreachable, slurm_refused.
Failure submitFailure(const SlurmAnswer& answer);

struct SlurmEnding {
    QString jobId;
    SlurmJobEnd end;
    QString jobExit; ///< text of job_exit; empty: the script did not come to its end
    QString launcherText;
    QString runDir;
    QStringList lostNodes;
};
/// What Slurm did to the job; `where` the run was: "in epoch 3 at step 120". Code empty: nothing
/// that mpirun and the ranks would not say better themselves.
Failure endingFailure(const SlurmEnding& ending, const QString& where);

} // namespace scalebench
