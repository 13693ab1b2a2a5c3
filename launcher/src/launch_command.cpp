// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/machine_info.h"
#include "launcher/resume.h"
#include "launcher/run_config.h"
#include "remote/ssh.h"

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
    // plm isolated: this computer only, works where no ssh is installed.
    // bind-to none: two jobs at once would both bind to core 0.
    // use-hwthread-cpus: Open MPI then counts processors as we do.
    command.arguments << u"--np"_s << QString::number(workers.count) << u"--bind-to"_s << u"none"_s
                      << u"--use-hwthread-cpus"_s << u"--mca"_s << u"plm"_s << u"isolated"_s;
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

} // namespace scalebench
