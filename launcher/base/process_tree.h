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
    /// "pid start_ticks boot_id", as lock files name their holder. What is no such line gives pid
    /// 0.
    QByteArray toText() const;
    static ProcessIdentity fromText(const QByteArray& text);
};

/// Whether the process has that file open: what a lock file says can be somebody else's word, this
/// is the kernel's.
bool hasFileOpen(qint64 pid, quint64 device, quint64 inode);

struct ProcessStat {
    qint64 pid = 0;
    char state = 0; ///< 'R', 'S', 'T', 'Z', …
    qint64 parent = 0;
    qint64 session = 0;
    qint64 startTicks = 0;
};

/// False where the process does not exist.
bool readProcessStat(qint64 pid, ProcessStat& stat);
QString currentBootId();
/// Waits for children of this process that ended in `session`, and for no others: ssh's belong to
/// QProcess, which would never hear of their end.
void reapChildrenOf(qint64 session);

/// Name in the environment of mpirun, and so of all that it starts here: the run's folder.
inline constexpr char kRunMark[] = "SCALEBENCH_RUN_HERE";

/// What belongs to a run: mpirun's session, and every process that has the run's folder behind
/// `--run` or as kRunMark in its environment.
struct RunProcesses {
    qint64 session = 0;     ///< = mpirun's pid; 0: none
    qint64 leaderTicks = 0; ///< mpirun's start time: a session of another leader is not ours
    QString runDir;
    /// The numbers come from a file. The session then counts only as long as its leader is alive,
    /// began when the file says, and is marked as this run's.
    bool fromFile = false;

    QList<qint64> alive() const;
    /// KILLs them until none is left; false after `timeoutMs`. Never touches the caller.
    /// `reap`: the caller is the supervisor, whose adopted children must be waited for.
    bool kill(int timeoutMs, bool reap) const;
};

} // namespace scalebench
