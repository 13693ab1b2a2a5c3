// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/slurm_script.h"

#include "base/plain_text.h"
#include "base/shell_quote.h"
#include "machine/open_mpi.h"
#include "supervise/launch_command.h"

#include <QRegularExpression>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

// @WORDS@ are replaced. sh, because that is all a node is sure to have.
static const char kJobScript[] = R"sh(#!/bin/sh
# @TITLE@, written by Scalebench for sbatch. Slurm runs it on the first node of the job.
run=@RUN@
engine=@ENGINE@
mpirun=@MPIRUN@

# For the supervisor: exit code and, where the run could not begin, why. Slurm forgets its jobs.
finish() {
    echo "$*" > "$run/.job_exit" && mv -f "$run/.job_exit" "$run/job_exit"
    exit "$1"
}

launcher=
stopped=
trap 'stopped=0; [ -z "$launcher" ] || kill -USR1 "$launcher"' USR1
trap 'stopped=143; [ -z "$launcher" ] || kill -TERM "$launcher"' TERM

# Every node must have the run's folder (a network file system may show it late) and the engine.
look='for wait in 1 1 2 3 0; do [ -f "$1/run.json" ] && break; sleep $wait; done
[ -f "$1/run.json" ] || { echo "@folder_not_shared $(hostname)"; exit; }
[ -x "$2" ] || { echo "@engine_missing $(hostname)"; exit; }
[ -x "$3" ] || echo "@mpirun_missing $(hostname)"'
if [ "$SLURM_JOB_NUM_NODES" -gt 1 ]; then
    wrong=$(srun --mpi=none --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" \
        --ntasks-per-node=1 sh -c "$look" sh "$run" "$engine" "$mpirun" | grep '^@' | head -n 1)
else
    wrong=$(sh -c "$look" sh "$run" "$engine" "$mpirun")
fi
[ -z "$wrong" ] || finish 127 "${wrong#@}"
[ -z "$stopped" ] || finish "$stopped"

# Open MPI starts its daemons through srun: with all processors and GPUs of the job, unbound.
export SLURM_WHOLE=1 SLURM_CPU_BIND=none
@ENVIRONMENT@
@CHOICE@
"$mpirun" "$@" @ARGUMENTS@ &
launcher=$!
[ -z "$stopped" ] || kill -USR1 "$launcher"
while :; do
    wait "$launcher"
    code=$?
    kill -0 "$launcher" 2>/dev/null || break # else a signal ended the wait
done
finish "$code"
)sh";

/// Puts each value in the place of its @WORD@, in one pass: what a value holds is never looked at.
static QString filled(const QString& script, const QMap<QString, QString>& values)
{
    static const QRegularExpression kPlace(u"@([A-Z]+)@"_s);
    QString result;
    qsizetype from = 0;
    for (auto it = kPlace.globalMatch(script); it.hasNext();) {
        const auto place = it.next();
        result += QStringView(script).sliced(from, place.capturedStart() - from);
        result += values.value(place.captured(1));
        from = place.capturedEnd();
    }
    return result + script.sliced(from);
}

static QString engineOf(const SlurmLaunch& launch)
{
    return launch.machine.folder + u"/engine/current"_s;
}

static QStringList mpirunArguments(const SlurmLaunch& launch)
{
    const QString engine = engineOf(launch);
    QStringList a{u"--map-by"_s, u"ppr:%1:node"_s.arg(launch.run.workersPerNode()), u"--bind-to"_s,
                  u"none"_s};
    // Bridges of containers have one address on all nodes: workers would wait for ever there.
    if (launch.machine.interface.isEmpty())
        a << u"--mca"_s << u"btl_tcp_if_exclude"_s
          << u"127.0.0.1/8,docker0,virbr0,lxcbr0,podman0"_s;
    // CPU workers that share processors must not spin; with a GPU each the latency counts more.
    if (launch.run.device == "cpu"_L1)
        a << u"--mca"_s << u"mpi_yield_when_idle"_s << u"1"_s;
    if (!launch.machine.mpiPrefix.isEmpty())
        a << u"--prefix"_s << launch.machine.mpiPrefix;
    for (const QString& name : rankEnvironment(launch.run, launch.machine).keys())
        a << u"-x"_s << name;
    a << engine + u"/bin/scalebench-engine"_s << u"--run"_s << launch.runDir;
    if (launch.resume)
        a << u"--resume"_s;
    return a;
}

/// What depends on the Open MPI over there, which nobody knows before the job runs.
static QStringList runtimeArguments(const SlurmLaunch& launch, const OpenMpi& mpi)
{
    // A node that is cut off is noticed after 8 + 3 x 3 s; Slurm takes 5 minutes by default.
    return mpi.keepAlive(8, 3, 3) + mpi.networks(launch.machine.interface, false);
}

static QString environmentLines(const SlurmLaunch& launch)
{
    QStringList lines;
    const QString& prefix = launch.machine.mpiPrefix;
    if (!prefix.isEmpty()) // sbatch was perhaps called from the bundle, which points to its own
        lines << u"unset "_s + OpenMpi::placeVariables().join(u' ')
              << u"export PATH=%1:$PATH"_s.arg(shellQuoted(prefix + u"/bin"_s))
              << u"export LD_LIBRARY_PATH=%1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"_s.arg(
                     shellQuoted(prefix + u"/lib"_s));
    if (launch.asRoot)
        lines << u"export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"_s;
    const QMap<QString, QString> ranks = rankEnvironment(launch.run, launch.machine);
    for (auto it = ranks.begin(); it != ranks.end(); ++it)
        lines << u"export %1=%2"_s.arg(it.key(), shellQuoted(it.value()));
    return lines.join(u'\n');
}

QString slurmScript(const SlurmLaunch& launch)
{
    const QString engine = engineOf(launch);
    const QString& prefix = launch.machine.mpiPrefix;
    QStringList words;
    for (const QString& argument : mpirunArguments(launch))
        words << shellQuoted(argument);
    return filled(
        QString::fromLatin1(kJobScript),
        {{u"TITLE"_s, u"Run %1 of study %2"_s.arg(visibleLine(launch.run.runId),
                                                  visibleLine(launch.run.study))},
         {u"RUN"_s, shellQuoted(launch.runDir)},
         {u"ENGINE"_s, shellQuoted(engine + u"/bin/scalebench-engine"_s)},
         {u"MPIRUN"_s, shellQuoted((prefix.isEmpty() ? engine : prefix) + u"/bin/mpirun"_s)},
         {u"CHOICE"_s, OpenMpi::shellChoice(runtimeArguments(launch, OpenMpi(u"4.1"_s)),
                                            runtimeArguments(launch, OpenMpi(u"5.0"_s)))},
         {u"ARGUMENTS"_s, words.join(u' ')},
         {u"ENVIRONMENT"_s, environmentLines(launch)}});
}

QStringList sbatchArguments(const SlurmLaunch& launch)
{
    const SlurmSettings& slurm = launch.machine.slurm;
    QStringList a{u"--parsable"_s,
                  u"--no-requeue"_s,
                  u"--job-name=scalebench-"_s + launch.run.runId,
                  u"--nodes=%1"_s.arg(launch.run.nodes),
                  u"--ntasks-per-node=%1"_s.arg(launch.run.workersPerNode()),
                  u"--cpus-per-task=%1"_s.arg(launch.run.threadsPerWorker)};
    if (!slurm.partition.isEmpty())
        a << u"--partition="_s + slurm.partition;
    if (!slurm.account.isEmpty())
        a << u"--account="_s + slurm.account;
    if (!slurm.timeLimit.isEmpty())
        a << u"--time="_s + slurm.timeLimit;
    if (slurm.gpusPerNode > 0)
        a << u"--gpus-per-node=%1"_s.arg(slurm.gpusPerNode);
    a << slurm.extraOptions;
    QString output = launch.runDir + u"/launcher.txt"_s;
    output.replace(u'%', "%%"_L1); // %j and the like are sbatch's
    a << u"--chdir="_s + launch.runDir << u"--output="_s + output << u"--open-mode=append"_s
      << launch.runDir + u"/job.sh"_s;
    return a;
}

} // namespace scalebench
