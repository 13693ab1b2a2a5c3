// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/stall_text.h"

#include "base/process_tree.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static QString whereItStands(const StepPoint& last)
{
    return last.step > 0 ? u"after step %1 (epoch %2)"_s.arg(last.step).arg(last.epoch, 0, 'f', 2)
                         : u"before the first step"_s;
}

QString silentStartText(const RunRecord& record, int seconds)
{
    if (record.config.nodes <= 1)
        return u"The engine wrote nothing for %1 s after mpirun was started. Its processes may "
               "hang while starting; see the messages of mpirun."_s.arg(seconds);
    return u"The engine wrote nothing for %1 s after mpirun was started on %2. Often a firewall "
           "drops what the hosts send to one another or to this computer, or the wrong network "
           "interface is used: name it in the target machine."_s.arg(seconds)
               .arg(record.config.hosts.join(u", "_s));
}

QString stallText(const RunRecord& record, const StepPoint& last, int seconds, bool ranksAreHere)
{
    QString where = whereItStands(last);
    if (!record.phase.isEmpty() && record.phase != "train"_L1)
        where += u", while busy with \"%1\""_s.arg(record.phase);
    QString text = u"No progress for %1 s %2."_s.arg(seconds).arg(where);
    if (!ranksAreHere)
        return text;
    for (const WorkerInfo& worker : record.workers) {
        ProcessStat stat;
        const QString name = u" Rank %1 on %2"_s.arg(worker.rank).arg(worker.host);
        if (!readProcessStat(worker.pid, stat))
            text += name + u" is gone."_s;
        else if (stat.state == 'T' || stat.state == 't')
            text += name + u" is suspended (SIGSTOP, or a debugger holds it)."_s;
        else if (stat.state == 'D')
            text += name + u" waits for a disk or the network file system."_s;
    }
    return text;
}

/// Hosts are called as in the machine, workers as they call themselves.
static const WorkerInfo* workerOf(const RunRecord& record, const SuspendedProcess& process)
{
    const int each = std::max(record.config.workersPerNode(), 1);
    for (const WorkerInfo& worker : record.workers)
        if (worker.pid == process.pid &&
            (process.host.isEmpty() || worker.host == process.host ||
             record.config.hosts.value(worker.rank / each) == process.host))
            return &worker;
    return nullptr;
}

QString suspensionText(const RunRecord& record, const StepPoint& last,
                       const QList<SuspendedProcess>& suspended)
{
    QStringList names;
    for (const SuspendedProcess& process : suspended) {
        const WorkerInfo* worker = workerOf(record, process);
        const QString host = process.host.isEmpty() && worker ? worker->host : process.host;
        names << (worker            ? u"Rank %1"_s.arg(worker->rank)
                  : names.isEmpty() ? u"A process of the run"_s
                                    : u"a process of the run"_s) +
                     (host.isEmpty() ? QString() : u" on "_s + host) +
                     u" (process %1)"_s.arg(process.pid);
    }
    const QString lastName = names.size() > 1 ? u" and "_s + names.takeLast() : QString();
    return u"%1 %2 suspended (SIGSTOP) and not continued for %3 s; the run stood still %4 and was "
           "ended."_s.arg(names.join(u", "_s) + lastName, lastName.isEmpty() ? u"was"_s : u"were"_s)
               .arg(SuspensionWatch::kPatienceMs / 1000)
               .arg(whereItStands(last));
}

} // namespace scalebench
