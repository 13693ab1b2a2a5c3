// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/forgotten_job.h"

#include "base/checked_names.h"

#include <QElapsedTimer>
#include <QThread>

#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kSubmitMs = 3'000;
static constexpr int kEndMs = 20'000;
static constexpr int kPauseUs = 500'000;

QString jobOfFolder(const SlurmAnswer& squeue, const QString& runDir)
{
    if (!squeue.ok())
        return {};
    for (const QString& line : squeue.output.split(u'\n')) {
        const QString id = line.section(u'|', 0, 0).trimmed();
        if (line.section(u'|', 1) == runDir && JobId::parse(id))
            return id;
    }
    return {};
}

QString forgottenJob(const QString& runDir)
{
    return jobOfFolder(askSlurm(u"squeue"_s, {u"--noheader"_s, u"--user=%1"_s.arg(::geteuid()),
                                              u"--format=%i|%Z"_s}),
                       runDir);
}

QString awaitForgottenJob(const QString& runDir)
{
    QElapsedTimer clock;
    clock.start();
    QString id = forgottenJob(runDir);
    while (id.isEmpty() && clock.elapsed() < kSubmitMs &&
           !QThread::currentThread()->isInterruptionRequested()) {
        ::usleep(kPauseUs);
        id = forgottenJob(runDir);
    }
    return id;
}

void endForgottenJobs(const QString& runDir)
{
    QElapsedTimer clock;
    clock.start();
    for (QString id = forgottenJob(runDir); !id.isEmpty() && clock.elapsed() < kEndMs;
         id = forgottenJob(runDir)) {
        (void)askSlurm(u"scancel"_s, {id});
        ::usleep(kPauseUs);
    }
}

} // namespace scalebench
