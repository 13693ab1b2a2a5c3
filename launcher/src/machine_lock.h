// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One run at a time on a target machine: two that share processors or a network would both be
// measured wrong. A flock per machine, kept by the supervisor for the length of a run; studies that
// wait take turns. Slurm has its own queue. SCALEBENCH_MACHINE_LOCKS=off switches it off.

#include "launcher/machines.h"

#include <QString>

namespace scalebench {

class MachineLock
{
public:
    /// Of the machine as seen from here: this computer, or the same set of hosts.
    explicit MachineLock(const TargetMachine& machine);
    ~MachineLock();
    MachineLock(const MachineLock&) = delete;
    MachineLock& operator=(const MachineLock&) = delete;

    /// True when held now (or not needed). `who` is what others are told.
    bool tryAcquire(const QString& who);
    /// What the present holder is called.
    QString holder() const;

private:
    QByteArray m_path; ///< empty: no lock wanted or possible
    int m_fd = -1;
};

} // namespace scalebench
