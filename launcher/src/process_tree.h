// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Who is alive, told apart from a stranger that got the same pid; all processes of a session;
// ending them for certain. Linux /proc.

#include <QList>
#include <QString>

namespace scalebench {

struct ProcessIdentity {
    qint64 pid = 0;
    qint64 startTicks = 0; ///< /proc/<pid>/stat field 22
    QString bootId;

    static ProcessIdentity self();
    static ProcessIdentity of(qint64 pid);
    bool isAlive() const; ///< same pid, same start, same boot, and no zombie
};

struct ProcessStat {
    qint64 pid = 0;
    char state = 0; ///< 'R', 'S', 'T', 'Z', …
    qint64 session = 0;
    qint64 startTicks = 0;
};

/// False where the process does not exist.
bool readProcessStat(qint64 pid, ProcessStat& stat);
QString currentBootId();

/// What belongs to a run: mpirun's session, and every process called with `--run <runDir>`.
struct RunProcesses {
    qint64 session = 0;     ///< = mpirun's pid; 0: none
    qint64 leaderTicks = 0; ///< mpirun's start time: a session of another leader is not ours
    QString runDir;

    QList<qint64> alive() const;
    /// KILLs them until none is left; false after `timeoutMs`. Never touches the caller.
    /// `reap`: the caller is the supervisor, whose adopted children must be waited for.
    bool kill(int timeoutMs, bool reap) const;
};

} // namespace scalebench
