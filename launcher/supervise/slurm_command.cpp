// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/slurm_command.h"

#include <QProcessEnvironment>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A user's own formats and filters would change what squeue prints.
QProcessEnvironment plainEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& name : environment.keys())
        if (name.startsWith("SQUEUE_"_L1) || name.startsWith("SCANCEL_"_L1) ||
            name.startsWith("SACCT_"_L1) || name.startsWith("SINFO_"_L1))
            environment.remove(name);
    environment.insert(u"SLURM_TIME_FORMAT"_s, u"standard"_s);
    return environment;
}

std::unique_ptr<QProcess> begin(const QString& program, const QStringList& arguments)
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(plainEnvironment());
    process->setStandardInputFile(QProcess::nullDevice());
    process->start(program, arguments);
    return process;
}

SlurmAnswer answerOf(QProcess& process)
{
    SlurmAnswer answer;
    answer.started = process.error() != QProcess::FailedToStart;
    answer.timedOut = process.state() != QProcess::NotRunning;
    if (answer.timedOut) {
        process.kill();
        process.waitForFinished(1000);
    }
    if (answer.started && !answer.timedOut && process.exitStatus() == QProcess::NormalExit)
        answer.exitCode = process.exitCode();
    answer.output = QString::fromUtf8(process.readAllStandardOutput()).trimmed();
    answer.errors = QString::fromUtf8(process.readAllStandardError()).trimmed();
    return answer;
}

} // namespace

SlurmAnswer askSlurm(const QString& program, const QStringList& arguments)
{
    const std::unique_ptr<QProcess> process = begin(program, arguments);
    process->waitForFinished(kSlurmMs);
    return answerOf(*process);
}

SlurmCall::~SlurmCall()
{
    if (m_process && m_process->state() != QProcess::NotRunning) {
        m_process->kill();
        m_process->waitForFinished(1000);
    }
}

void SlurmCall::start(const QString& program, const QStringList& arguments)
{
    m_process = begin(program, arguments);
    m_clock.start();
}

std::optional<SlurmAnswer> SlurmCall::take()
{
    if (!m_process || (m_process->state() != QProcess::NotRunning && m_clock.elapsed() < kSlurmMs))
        return {};
    const SlurmAnswer answer = answerOf(*m_process);
    m_process.reset();
    return answer;
}

} // namespace scalebench
