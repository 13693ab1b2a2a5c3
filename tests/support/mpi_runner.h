// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs a program on several ranks under the real mpirun, as users do.

#include "support/campaign.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringList>

namespace scalebench::test {

struct MpiRun {
    bool finished = false; ///< in time
    int exitCode = -1;
    QByteArray output; ///< stdout and stderr of mpirun and all ranks
};

inline bool haveMpirun()
{
    return !QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty();
}

/// Open MPI 5 gives ranks no time between SIGTERM and SIGKILL; 4.1 a second.
inline bool mpirunKillsAtOnce()
{
    QProcess process;
    process.start(QStringLiteral("mpirun"), {QStringLiteral("--version")});
    return process.waitForFinished(test::kHangMs) &&
           process.readAllStandardOutput().contains("(Open MPI) 5");
}

/// mpirun arguments before the program; environment lets root and more ranks than cores pass.
inline void prepareMpirun(QProcess& process, int ranks, const QString& program,
                          const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT"), QStringLiteral("1"));
    environment.insert(QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"), QStringLiteral("1"));
    environment.insert(QStringLiteral("OMPI_MCA_rmaps_base_oversubscribe"), QStringLiteral("1"));
    environment.insert(QStringLiteral("PRTE_MCA_rmaps_default_mapping_policy"), // Open MPI 5
                       QStringLiteral(":oversubscribe"));
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setProgram(QStringLiteral("mpirun"));
    process.setArguments(QStringList{QStringLiteral("-np"), QString::number(ranks),
                                     QStringLiteral("--oversubscribe"), QStringLiteral("--bind-to"),
                                     QStringLiteral("none"), program} +
                         arguments);
}

inline MpiRun runOnceUnderMpi(int ranks, const QString& program, const QStringList& arguments,
                              int timeoutMs = kHangMs)
{
    QProcess process;
    prepareMpirun(process, ranks, program, arguments);
    process.start();
    MpiRun run;
    run.finished = process.waitForFinished(timeoutMs);
    if (!run.finished) {
        process.kill();
        process.waitForFinished();
    }
    run.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    run.output = process.readAll();
    return run;
}

/// A rank waits two seconds for mpirun to take note of its MPI_Finalize and then ends all the same
/// (ten since openpmix pull request 3650, "heavily loaded server"): mpirun calls that improper and
/// has forgotten the rank's pid. Such a run says nothing and is made again.
inline MpiRun runUnderMpi(int ranks, const QString& program, const QStringList& arguments)
{
    MpiRun run;
    for (int attempt = 0; attempt < 5; ++attempt) {
        run = runOnceUnderMpi(ranks, program, arguments);
        static const QRegularExpression kUnheard(
            QStringLiteral("process rank \\d+ with PID 0 on\\s+node \\S+ exiting improperly"));
        if (!run.finished || run.exitCode == 0 ||
            !kUnheard.match(QString::fromUtf8(run.output)).hasMatch())
            break;
    }
    return run;
}

} // namespace scalebench::test
