// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/queue_keeper.h"

#include "base/translated.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "run/study_queue.h"
#include "supervise/supervisor.h"

#include <QDateTime>

#include <csignal>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr qint64 kStartMs = 5000; ///< for a new supervisor to take the study's lock

bool QueueKeeper::isStarting() const
{
    return m_sinceStart.isValid() && m_sinceStart.elapsed() < kStartMs;
}

void QueueKeeper::tick(const QStringList& openRuns)
{
    if (lockHolder(m_studyDir)) {
        m_failedStarts = 0;
        m_sinceStart.invalidate();
        if (m_stopping)
            tellToStop(); // one that took a Slurm job over, at its own time
        return;
    }
    if (isStarting())
        return;
    for (const QString& runId : openRuns)
        if (recoverRun(runDirOf(m_studyDir, runId)))
            m_startQueued = true; // its supervisor would have gone on with the queue
    if (lockHolder(m_studyDir))
        return;
    if (!m_startQueued || queuedRuns(m_studyDir).isEmpty())
        return;
    if (m_stopping || stopAfterRunRequested(m_studyDir)) {
        StudyLock lock;
        if (lock.acquire(m_studyDir, 0))
            cancelQueuedRuns(m_studyDir);
        return;
    }
    if (isPaused())
        return;
    if (++m_failedStarts > 2)
        return failQueued(
            {u"supervisor_not_started"_s,
             Launcher::tr(
                 "The supervisor of the run could not be started; %1/supervisor.log says why.")
                 .arg(m_studyDir)});
    const Result<qint64> started = startSupervisor(m_studyDir);
    if (!started)
        return failQueued(started.failure());
    m_sinceStart.start();
}

/// Nothing can be started here: every queued run says so.
void QueueKeeper::failQueued(const Failure& failure)
{
    StudyLock lock;
    if (!lock.acquire(m_studyDir, 1000))
        return;
    for (const QString& runId : queuedRuns(m_studyDir)) {
        Result<RunStatus> status = readRunStatus(runDirOf(m_studyDir, runId));
        if (!status)
            continue;
        status.value().state = RunState::Failed;
        status.value().finishedMs = QDateTime::currentMSecsSinceEpoch();
        status.value().error = failure;
        (void)writeRunStatus(runDirOf(m_studyDir, runId), status.value());
    }
}

void QueueKeeper::startQueued()
{
    m_startQueued = true;
    m_stopping = false;
    m_failedStarts = 0;
}

void QueueKeeper::stopNow()
{
    m_stopping = true;
    (void)requestStopAfterRun(m_studyDir);
    setQueuePaused(m_studyDir, false);
    m_told = 0; // whoever stops twice does not want to wait
    tellToStop();
}

/// Each supervisor once.
void QueueKeeper::tellToStop()
{
    const std::optional<qint64> holder = lockHolder(m_studyDir);
    if (holder && *holder > 1 && *holder != ::getpid() && *holder != m_told &&
        ::kill(pid_t(*holder), SIGTERM) == 0)
        m_told = *holder;
}

void QueueKeeper::stopAfterRun()
{
    (void)requestStopAfterRun(m_studyDir);
    setQueuePaused(m_studyDir, false);
}

void QueueKeeper::pause()
{
    setQueuePaused(m_studyDir, true);
}

void QueueKeeper::unpause()
{
    setQueuePaused(m_studyDir, false);
    startQueued();
}

bool QueueKeeper::isPaused() const
{
    return queuePaused(m_studyDir);
}

} // namespace scalebench
