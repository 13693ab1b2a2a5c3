// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One run at a time on a host: two that share processors or a network would both be measured wrong.
// A flock per host, kept by the supervisor for the length of a run; studies that wait take turns.
// Of runs that are launched from elsewhere only the host itself knows: there the engine takes turns
// (engine/train/host_turn.h). Slurm has its own queue. SCALEBENCH_MACHINE_LOCKS=off switches it
// off.

#include "machine/machines.h"

#include <QHash>
#include <QList>
#include <QString>

namespace scalebench {

class MachineLock
{
public:
    /// Of the machine as seen from here: this computer, or its hosts.
    explicit MachineLock(const TargetMachine& machine);
    ~MachineLock();
    MachineLock(const MachineLock&) = delete;
    MachineLock& operator=(const MachineLock&) = delete;

    /// True when held now (or not needed): all hosts or none. `who` is what others are told.
    /// Whoever had a host last lets those who wait for it have it first; they ask again within
    /// kPolls tries.
    bool tryAcquire(const QString& who);
    static constexpr int kPolls = 10;
    /// What the holder of the host is called that could not be had, or who has it next.
    QString holder() const;

    static bool isWanted();
    /// What others are told of who holds it. Travels through the environment of every rank, so in
    /// plain letters.
    static QString nameForOthers(const QString& studyDir);

private:
    bool tryHost(const QByteArray& path, const QByteArray& who);
    void waitFor(const QByteArray& path, const QByteArray& who);
    void release();
    void endWaiting();
    QList<QByteArray> m_paths; ///< one per host; empty: no lock wanted or possible
    QList<int> m_held;
    QHash<QByteArray, int> m_waits; ///< for which hosts others are told that they are waited for
    QByteArray m_busy;
    int m_letBy = 0; ///< tries in which others were let have it first
};

} // namespace scalebench
