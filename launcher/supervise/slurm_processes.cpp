// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/slurm_processes.h"

#include "base/checked_names.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kEagerly = 10;         ///< questions in vain before it takes its time
static constexpr int kRestMs = 60'000;      ///< and then between two
static constexpr int kQuietEndsMs = 30'000; ///< not called for so long: the run moved meanwhile
static constexpr qsizetype kMostProcesses = 10'000;

// The name of a program may hold anything, so the state is what follows its last bracket.
static const char kScript[] = R"sh(
for p in /proc/[0-9]*; do
    s=$(cat "$p/stat" 2>/dev/null) || continue
    case ${s##*) } in "T "*) ;; *) continue ;; esac
    tr '\0' '\n' < "$p/environ" 2>/dev/null | grep -Fxq "SLURM_JOB_ID=$1" && echo "suspended=$(uname -n) ${p#/proc/}"
done
:
)sh";

QStringList lookingStep(const QString& jobId, qsizetype nodes)
{
    return {u"--jobid="_s + jobId,
            u"--overlap"_s,
            u"--mem=0"_s,
            u"--mpi=none"_s,
            u"--input=none"_s,
            u"--immediate=5"_s,
            u"--nodes=%1"_s.arg(nodes),
            u"--ntasks=%1"_s.arg(nodes),
            u"--ntasks-per-node=1"_s,
            u"sh"_s,
            u"-c"_s,
            QString::fromLatin1(kScript),
            u"sh"_s,
            jobId};
}

QList<SuspendedProcess> readSuspended(const SlurmAnswer& srun)
{
    QList<SuspendedProcess> found;
    for (const QString& line : srun.output.split(u'\n')) {
        if (!line.startsWith("suspended="_L1))
            continue;
        bool isPid = false;
        const qint64 pid = line.section(u' ', 1).toLongLong(&isPid);
        const Result<HostName> host = HostName::parse(line.mid(10).section(u' ', 0, 0));
        if (host && isPid && pid > 1 && found.size() < kMostProcesses)
            found << SuspendedProcess{host.value().text(), pid};
    }
    return found;
}

QList<SuspendedProcess> SlurmProcesses::suspended(const QString& jobId, qsizetype nodes)
{
    if (!m_sinceCalled.isValid() || m_sinceCalled.elapsed() > kQuietEndsMs)
        m_inVain = 0;
    m_sinceCalled.start();
    if (nodes < 1 || (m_inVain >= kEagerly && m_sinceAsked.elapsed() < kRestMs))
        return {};
    m_sinceAsked.start();
    const QList<SuspendedProcess> found =
        readSuspended(askSlurm(u"srun"_s, lookingStep(jobId, nodes)));
    m_inVain = found.isEmpty() ? m_inVain + 1 : 0;
    m_sinceCalled.start();
    return found;
}

} // namespace scalebench
