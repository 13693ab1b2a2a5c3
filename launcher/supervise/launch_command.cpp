// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/launch_command.h"
#include "base/file_io.h"
#include "base/shell_quote.h"
#include "machine/machines.h"
#include "machine/open_mpi.h"
#include "machine/this_computer.h"
#include "run/resume.h"
#include "ssh/nodes.h"
#include "study/machine_info.h"
#include "study/run_config.h"

#include <QFileInfo>

#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString LaunchCommand::displayText() const
{
    QStringList words;
    for (const QString& key : environment.keys())
        words << key + u'=' + shellQuoted(environment.value(key));
    words << shellQuoted(program);
    for (const QString& argument : arguments)
        words << shellQuoted(argument);
    return words.join(u' ');
}

LaunchCommand localMpirunCommand(const MachineInfo& machine, const LocalWorkers& workers,
                                 const QStringList& engineArguments)
{
    LaunchCommand command;
    command.program = machine.mpirunPath.isEmpty() ? u"mpirun"_s : machine.mpirunPath;
    const OpenMpi mpi(machine.mpirunVersion);
    if (workers.quiet)
        command.arguments << mpi.quiet();
    // bind-to none: two jobs at once would both bind to core 0.
    // use-hwthread-cpus: Open MPI then counts processors as we do.
    command.arguments << u"--np"_s << QString::number(workers.count) << u"--bind-to"_s << u"none"_s
                      << u"--use-hwthread-cpus"_s << mpi.hereOnly();
    if (workers.oversubscribed)
        command.arguments << u"--oversubscribe"_s << u"--mca"_s << u"mpi_yield_when_idle"_s
                          << u"1"_s;
    command.environment.insert(u"OMP_NUM_THREADS"_s, QString::number(workers.threadsEach));
    command.arguments << u"-x"_s << u"OMP_NUM_THREADS"_s;
    if (::geteuid() == 0) {
        command.environment.insert(u"OMPI_ALLOW_RUN_AS_ROOT"_s, u"1"_s);
        command.environment.insert(u"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"_s, u"1"_s);
    }
    command.arguments << (machine.enginePath.isEmpty() ? u"scalebench-engine"_s
                                                       : machine.enginePath)
                      << engineArguments;
    return command;
}

LaunchCommand localMpirunCommand(const RunConfig& run, const MachineInfo& machine,
                                 const QString& runDir)
{
    QStringList arguments{u"--run"_s, runDir};
    if (hasCheckpoint(runDir))
        arguments << u"--resume"_s;
    return localMpirunCommand(machine, {run.workers, run.threadsPerWorker, run.oversubscribed},
                              arguments);
}

QMap<QString, QString> rankEnvironment(const RunConfig& run, const TargetMachine& machine)
{
    QMap<QString, QString> environment = machine.environment;
    environment.insert(u"OMP_NUM_THREADS"_s, QString::number(run.threadsPerWorker));
    const bool isName = !machine.interface.isEmpty() && !machine.interface.contains(u'/');
    if (run.device == "cuda"_L1 && isName) // NCCL takes names, Open MPI subnets too
        environment.insert(u"NCCL_SOCKET_IFNAME"_s, machine.interface);
    for (auto it = machine.nccl.begin(); it != machine.nccl.end(); ++it)
        environment.insert(u"NCCL_"_s + it.key(), it.value());
    for (auto it = machine.ucx.begin(); it != machine.ucx.end(); ++it)
        environment.insert(u"UCX_"_s + it.key(), it.value());
    return environment;
}

static QString hostfileText(const RunConfig& run)
{
    QString text;
    for (const QString& host : run.hosts)
        text += u"%1 slots=%2\n"_s.arg(host).arg(run.workersPerNode());
    return text;
}

Result<LaunchCommand> hostsMpirunCommand(const HostsLaunch& launch, const QString& studyDir,
                                         const QString& runDir)
{
    const QString hostfile = runDir + u"/hosts.txt"_s;
    if (const Result<void> written =
            writeFileAtomically(hostfile, hostfileText(launch.run).toUtf8());
        !written)
        return written.failure();
    LaunchCommand command;
    command.program = launch.here.mpirunPath.isEmpty() ? u"mpirun"_s : launch.here.mpirunPath;
    const OpenMpi mpi(launch.here.mpirunVersion);
    QStringList& a = command.arguments;
    a << u"--hostfile"_s << hostfile << u"--map-by"_s
      << u"ppr:%1:node"_s.arg(launch.run.workersPerNode()) << u"--bind-to"_s << u"none"_s;
    // Ours in ssh's place: adds the machine's settings and the host to every message. Found in
    // PATH, since mpirun splits this value at blanks.
    a << mpi.startThrough(u"scalebench rsh"_s);
    // Else hosts beyond the first 64 are reached from one another, which needs keys there. Not set
    // for fewer: with it a daemon that a firewall rejects says nothing and tries for ever.
    if (launch.run.hosts.size() > 64)
        a << mpi.runtime(u"plm_rsh_no_tree_spawn"_s, u"1"_s);
    a << mpi.runtime(u"orte_keep_fqdn_hostnames"_s, u"1"_s);
    // A host that is cut off is noticed after 6 + 3 x 3 s instead of 8 minutes.
    a << mpi.keepAlive(6, 3, 3) << mpi.networks(launch.network, launch.networkIsHere);
    // CPU workers of another job, or more than the processors, must not wait for ever on a spinning
    // neighbour; with a GPU each the latency counts more.
    if (launch.run.device == "cpu"_L1)
        a << u"--mca"_s << u"mpi_yield_when_idle"_s << u"1"_s;
    const QString& prefix = launch.machine.mpiPrefix;
    a << mpi.startDaemon(prefix.isEmpty() ? daemonPlaceholder() : QString(), prefix);

    const QMap<QString, QString> ranks = rankEnvironment(launch.run, launch.machine);
    for (auto it = ranks.begin(); it != ranks.end(); ++it) {
        command.environment.insert(it.key(), it.value());
        a << u"-x"_s << it.key();
    }
    const QMap<QString, QString> agent = rshEnvironment(
        studyDir + u"/machine.json"_s, launch.nodeDir, launch.engine + u"/bin/"_s + mpi.daemon());
    for (auto it = agent.begin(); it != agent.end(); ++it)
        command.environment.insert(it.key(), it.value());
    command.environment.insert(u"PATH"_s,
                               QFileInfo(findProgram(u"scalebench"_s)).absolutePath() + u':' +
                                   qEnvironmentVariable("PATH", u"/usr/local/bin:/usr/bin:/bin"_s));
    // On this computer the engine's environment is what marks its processes.
    command.environment.insert(u"SCALEBENCH_RUN"_s, launch.nodeDir);
    if (::geteuid() == 0) {
        command.environment.insert(u"OMPI_ALLOW_RUN_AS_ROOT"_s, u"1"_s);
        command.environment.insert(u"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"_s, u"1"_s);
    }
    a << launch.engine + u"/bin/scalebench-engine"_s << u"--run"_s << launch.nodeDir;
    if (launch.resume)
        a << u"--resume"_s;
    return command;
}

} // namespace scalebench
