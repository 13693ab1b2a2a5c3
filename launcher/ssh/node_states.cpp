// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/node_states.h"

#include "ssh/node_scripts.h"
#include "ssh/ssh.h"

namespace scalebench {

static constexpr int kStatesMs = 5'000;
static constexpr qsizetype kMostProcesses = 1'000; ///< of one host; what it says is bounded

// $4 the supervisor's own folder of the run, which hosts may share. The name of a program may hold
// anything, so the state is what follows its last bracket.
static const char kStatesScript[] = R"sh(
l=$4
echo "@begin"
for p in /proc/[0-9]*; do
    s=$(cat "$p/stat" 2>/dev/null) || continue
    case ${s##*) } in "T "*) ;; *) continue ;; esac
    tr '\0' '\n' < "$p/environ" 2>/dev/null | grep -Fxq -e "SCALEBENCH_RUN=$d" -e "SCALEBENCH_RUN=$l" && echo "stopped=${p#/proc/}"
done
echo "@end"
)sh";

QList<SuspendedProcess> parseSuspended(const QString& host, const QByteArray& answer)
{
    bool complete = false;
    QList<SuspendedProcess> found;
    for (const QByteArray& line : marked(answer, &complete).split('\n')) {
        bool isPid = false;
        const qint64 pid = line.startsWith("stopped=") ? line.mid(8).toLongLong(&isPid) : qint64(0);
        if (isPid && pid > 1 && found.size() < kMostProcesses)
            found << SuspendedProcess{host, pid};
    }
    return complete ? found : QList<SuspendedProcess>();
}

QList<SuspendedProcess> suspendedOnNodes(const NodeRun& run)
{
    const QByteArray script = QByteArray(kFolderScript) + kStatesScript;
    const QList<RemoteResult> results = RemoteCall::onAll(
        run.machine, run.hosts, scriptWords(run, {run.localRunDir}), [&](int) { return script; },
        kStatesMs, {.connectTimeoutS = 4, .multiplexed = run.hosts.size() <= 16});
    QList<SuspendedProcess> found;
    for (qsizetype i = 0; i < results.size(); ++i)
        found << parseSuspended(run.hosts[i], results[i].output);
    return found;
}

} // namespace scalebench
