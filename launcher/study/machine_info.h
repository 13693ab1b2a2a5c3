// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What planning needs to know of the computer, or of the hosts, that runs are planned for.

#include <QJsonObject>
#include <QList>
#include <QString>

#include <algorithm>

namespace scalebench {

/// A host and how many workers it takes.
struct HostSlots {
    QString name;  ///< as ssh and mpirun get it: a name, an alias of the ssh config, an address
    int count = 0; ///< 0: not said; then the processors (GPUs) the last check found, else 1
    bool operator==(const HostSlots&) const = default;
};

/// Whether other work on a computer (in processors that it keeps busy) disturbs a run there: more
/// than a tenth, and more than a desktop at rest takes.
inline bool isDisturbing(double processorsTaken, int processors)
{
    return processors > 0 && processorsTaken >= std::max(0.3, 0.1 * processors);
}

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
    int physicalCores = 0;  ///< of them: fewer where a core has several; 0: not known, as many
    qint64 memoryBytes = 0; ///< that this process may have (of a control group: its limit)
    qint64 memoryAvailableBytes = 0;
    bool memoryLimited = false; ///< by a control group of this computer
    /// That other processes keep busy, of how many; negative: not measured.
    double busyProcessors = -1;
    int processors = 0;
    QString mpirunPath;    ///< empty: not found
    QString mpirunVersion; ///< of Open MPI; of another MPI what it says
    QString mpirunFault;   ///< why it told none when it was asked
    QString opalPrefix;    ///< that of another Open MPI, where OPAL_PREFIX names one
    /// MPICH's, Intel's: they take other options and start none of our workers.
    bool hasOtherMpi() const { return !mpirunVersion.isEmpty() && !mpirunVersion[0].isDigit(); }
    QString enginePath; ///< empty: not found
    QString engineVersion;
    QString engineFault; ///< why it did not answer when it was asked
    QString cudaReason;  ///< why CUDA is not available; empty when it is
    QStringList gpus;
    QJsonObject engineProbe; ///< `scalebench-engine --probe`, empty when not run
};

} // namespace scalebench
