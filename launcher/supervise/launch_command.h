// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a run becomes an mpirun argument list. Never a shell string.
#include "base/result.h"
#include "machine/machines.h"
#include "study/run_config.h"
#include "supervise/launch_command.h"

#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace scalebench {

struct LaunchCommand {
    QString program;
    QStringList arguments;
    QProcessEnvironment environment; ///< only what is added to the parent's environment

    /// For display: quoted for a POSIX shell, one line.
    QString displayText() const;
};

struct LocalWorkers {
    int count = 1;
    int threadsEach = 1;
    bool oversubscribed = false; ///< more workers than processors are wanted
    bool quiet = false;          ///< mpirun need not say that a worker ended with a code
};

/// mpirun on this computer for an engine with these arguments.
LaunchCommand localMpirunCommand(const MachineInfo& machine, const LocalWorkers& workers,
                                 const QStringList& engineArguments);
/// What a run over hosts is launched with, besides its own configuration.
struct HostsLaunch {
    const RunConfig& run;
    const TargetMachine& machine;
    const MachineInfo& here;    ///< where mpirun runs
    QString nodeDir;            ///< the run's folder on the hosts, absolute
    QString engine;             ///< folder of the engine on the hosts, absolute
    QString network;            ///< interface or subnet for MPI; empty: Open MPI's choice
    bool networkIsHere = false; ///< this computer has it too, so daemons can talk over it
    bool resume = false;
};
/// mpirun for ranks on the run's hosts; writes the hostfile into `runDir`.
Result<LaunchCommand> hostsMpirunCommand(const HostsLaunch& launch, const QString& studyDir,
                                         const QString& runDir);
/// The environment that every rank gets by name: OMP_NUM_THREADS, the machine's own, NCCL_*, UCX_*.
QMap<QString, QString> rankEnvironment(const RunConfig& run, const TargetMachine& machine);

/// mpirun on this computer for a run whose folder is `runDir`.
LaunchCommand localMpirunCommand(const RunConfig& run, const MachineInfo& machine,
                                 const QString& runDir);

} // namespace scalebench
