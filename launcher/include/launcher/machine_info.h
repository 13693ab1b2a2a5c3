// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this computer has, as far as planning and `scalebench doctor` need it. Probing takes
// milliseconds except for the engine's own probe (a process start), which is optional.

#include <QJsonObject>
#include <QList>
#include <QString>

namespace scalebench {

/// A host and how many workers it takes.
struct HostSlots {
    QString name;  ///< as ssh and mpirun get it: a name, an alias of the ssh config, an address
    int count = 0; ///< 0: not said; then the processors (GPUs) the last check found, else 1
    bool operator==(const HostSlots&) const = default;
};

/// A computer, or (see planningInfo() in machines.h) the hosts of a target machine together.
struct MachineInfo {
    QString hostName;
    QList<HostSlots> hosts; ///< of a target machine; empty: this computer, or Slurm
    bool slurm = false;     ///< hosts are chosen by Slurm
    QString folder;         ///< of a target machine, on its hosts ("~/…"); empty: this computer

    QString dataFolder; ///< likewise: where relative data paths begin; empty: none

    bool isRemote() const { return slurm || !hosts.isEmpty(); }
    QString os;
    QString cpuModel;
    int cores = 0; ///< processors this process may use (affinity, cgroup quota); of hosts: of each
                   ///< at least, 0 where Slurm's are not known
    qint64 memoryBytes = 0;
    qint64 memoryAvailableBytes = 0;
    QString mpirunPath; ///< empty: not found
    QString mpirunVersion;
    QString enginePath; ///< empty: not found
    QString engineVersion;
    QString cudaReason; ///< why CUDA is not available; empty when it is
    QStringList gpus;
    QJsonObject engineProbe; ///< `scalebench-engine --probe`, empty when not run

    /// Synchronous and cheap; with `runEngineProbe` starts the engine once (up to 10 s).
    static MachineInfo probe(bool runEngineProbe);
};

/// One line of `scalebench doctor`.
struct Finding {
    enum class Level { Ok, Warning, Problem };
    QString id; ///< stable: "cores", "memory", "gpu", "mpi", "engine", "backend", "disk", …
    Level level = Level::Ok;
    QString text; ///< what was found
    QString fix;  ///< what to do; empty when Ok
};

/// Checks everything a local study needs; `libraryDir` is checked for space and rights.
QList<Finding> runDoctor(const QString& libraryDir);

/// Paths of programs beside this one (or in PATH): "scalebench", "scalebench-engine",
/// "scalebench-gui". Environment SCALEBENCH_ENGINE overrides the engine. Empty: not found.
QString findProgram(const QString& name);

} // namespace scalebench
