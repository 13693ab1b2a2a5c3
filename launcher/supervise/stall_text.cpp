// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/stall_text.h"

#include "base/process_tree.h"
#include "base/translated.h"
#include "machine/open_mpi.h"
#include "supervise/ending_text.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static QString whereItStands(const StepPoint& last)
{
    return last.step > 0
               ? Launcher::tr("after step %1 (epoch %2)").arg(last.step).arg(last.epoch, 0, 'f', 2)
               : Launcher::tr("before the first step");
}

QString silentStartText(const RunRecord& record, int seconds)
{
    if (record.config.nodes <= 1)
        return Launcher::tr(
                   "The engine wrote nothing for %1 s after mpirun was started. Its processes may "
                   "hang while starting; see the messages of mpirun.")
            .arg(seconds);
    return Launcher::tr(
               "The engine wrote nothing for %1 s after mpirun was started on %2. Often a firewall "
               "drops what the hosts send to one another or to this computer, or the wrong network "
               "interface is used: name it in the target machine.")
        .arg(seconds)
        .arg(record.config.hosts.join(u", "_s));
}

QString stallText(const RunRecord& record, const StepPoint& last, int seconds, bool ranksAreHere)
{
    const QString where = whereItStands(last);
    QString text = record.phase.isEmpty() || record.phase == "train"_L1
                       ? Launcher::tr("No progress for %1 s %2.").arg(seconds).arg(where)
                       : Launcher::tr("No progress for %1 s %2, while busy with \"%3\".")
                             .arg(seconds)
                             .arg(where, record.phase);
    if (!ranksAreHere)
        return text;
    for (const WorkerInfo& worker : record.workers) {
        ProcessStat stat;
        const auto told = [&](const QString& sentence) {
            text += u' ' + sentence.arg(worker.rank).arg(worker.host);
        };
        if (!readProcessStat(worker.pid, stat))
            told(Launcher::tr("Rank %1 on %2 is gone."));
        else if (stat.state == 'T' || stat.state == 't')
            told(Launcher::tr("Rank %1 on %2 is suspended (SIGSTOP, or a debugger holds it)."));
        else if (stat.state == 'D')
            told(Launcher::tr("Rank %1 on %2 waits for a disk or the network file system."));
    }
    return text;
}

Failure stallFailure(const RunRecord& record, const QString& launcherText, const QString& stallText)
{
    if (const auto ending = rankEndingIn(launcherText, 0)) {
        const QString host =
            ending->host.isEmpty() ? hostOfRank(record, ending->rank) : ending->host;
        const bool killed =
            ending->how == RankEnding::How::Signal || ending->how == RankEnding::How::NotStarted;
        return {killed ? u"rank_killed"_s : u"rank_failed"_s, rankEndedText(*ending, host, record)};
    }
    if (saysRankEnded(launcherText))
        return {u"rank_failed"_s,
                Launcher::tr("One rank ended %1. mpirun noticed it, but did not say which, and did "
                             "not end by itself.")
                    .arg(whereItWas(record))};
    return {u"stalled"_s, stallText};
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

static QString suspendedName(const WorkerInfo* worker, const QString& host, qint64 pid, bool begins)
{
    const QString process = QString::number(pid);
    if (worker)
        return host.isEmpty() ? Launcher::tr("Rank %1 (process %2)").arg(worker->rank).arg(process)
                              : Launcher::tr("Rank %1 on %2 (process %3)")
                                    .arg(QString::number(worker->rank), host, process);
    if (host.isEmpty())
        return (begins ? Launcher::tr("A process of the run (process %1)")
                       : Launcher::tr("a process of the run (process %1)"))
            .arg(process);
    return (begins ? Launcher::tr("A process of the run on %1 (process %2)")
                   : Launcher::tr("a process of the run on %1 (process %2)"))
        .arg(host, process);
}

QString suspensionText(const RunRecord& record, const StepPoint& last,
                       const QList<SuspendedProcess>& suspended)
{
    QStringList names;
    for (const SuspendedProcess& process : suspended) {
        const WorkerInfo* worker = workerOf(record, process);
        const QString host = process.host.isEmpty() && worker ? worker->host : process.host;
        names << suspendedName(worker, host, process.pid, names.isEmpty());
    }
    const bool one = names.size() == 1;
    const QString lastName = one ? QString() : names.takeLast();
    const QString who =
        one ? names.first() : Launcher::tr("%1 and %2").arg(names.join(u", "_s), lastName);
    return (one ? Launcher::tr("%1 was suspended (SIGSTOP) and not continued for %2 s; the run "
                               "stood still %3 and was ended.")
                : Launcher::tr("%1 were suspended (SIGSTOP) and not continued for %2 s; the run "
                               "stood still %3 and was ended."))
        .arg(who)
        .arg(SuspensionWatch::kPatienceMs / 1000)
        .arg(whereItStands(last));
}

} // namespace scalebench
