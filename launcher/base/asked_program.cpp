// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/asked_program.h"

#include "base/file_io.h"
#include "base/plain_text.h"
#include "base/translated.h"

#include <QProcess>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace scalebench {

QString ProgramAnswer::fault() const
{
    if (!started)
        return Launcher::tr("it cannot be executed here (%1)").arg(error);
    if (timedOut)
        return Launcher::tr("it said nothing for %1 s").arg(timeoutMs / 1000);
    const QString said = QString::fromLocal8Bit(err).trimmed();
    if (!said.isEmpty())
        return visibleLine(said.section(u'\n', -1));
    return crashed ? Launcher::tr("signal %1 ended it").arg(exitCode)
                   : Launcher::tr("it ended with code %1 and told nothing").arg(exitCode);
}

ProgramAnswer askProgram(const QString& program, const QStringList& arguments, int timeoutMs)
{
    QProcess process;
    process.setChildProcessModifier([] {
        ::setsid();
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // Ctrl-C reaches only us
    });
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(program, arguments);
    ProgramAnswer answer;
    answer.timeoutMs = timeoutMs;
    if (!process.waitForFinished(timeoutMs)) {
        answer.started = process.error() != QProcess::FailedToStart;
        answer.timedOut = answer.started;
        answer.error = systemText(process.errorString());
        if (const qint64 pid = process.processId(); pid > 0)
            ::kill(pid_t(-pid), SIGKILL); // a script's child would outlive it
        process.waitForFinished(1000);
        return answer;
    }
    answer.started = true;
    answer.crashed = process.exitStatus() == QProcess::CrashExit;
    answer.exitCode = process.exitCode();
    answer.out = process.readAllStandardOutput();
    answer.err = process.readAllStandardError();
    return answer;
}

} // namespace scalebench
