// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a Slurm job consists of: the batch script and the words for sbatch. Pure functions.

#include "machine/machines.h"
#include "study/run_config.h"

#include <QString>
#include <QStringList>

namespace scalebench {

struct SlurmLaunch {
    const RunConfig& run;
    const TargetMachine& machine; ///< folders absolute
    QString runDir;
    bool resume = false;
    bool asRoot = false; ///< Open MPI must be told that it is meant
};

/// job.sh: checks the nodes, starts mpirun, hands signals on to it and leaves `job_exit`.
QString slurmScript(const SlurmLaunch& launch);
/// The words after "sbatch"; the last is the script.
QStringList sbatchArguments(const SlurmLaunch& launch);

} // namespace scalebench
