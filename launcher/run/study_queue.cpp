// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/study_queue.h"

#include "base/file_io.h"
#include "base/translated.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_queue.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QStringList queuedRuns(const QString& studyDir)
{
    QStringList queued;
    const Result<QStringList> plan = readPlan(studyDir);
    if (!plan)
        return queued;
    for (const QString& runId : plan.value()) {
        const Result<RunStatus> status = readRunStatus(runDirOf(studyDir, runId));
        if (status && status.value().state == RunState::Queued)
            queued << runId;
    }
    return queued;
}

void cancelQueuedRun(const QString& studyDir, const QString& runId, const Failure& reason)
{
    Result<RunStatus> status = readRunStatus(runDirOf(studyDir, runId));
    if (!status)
        return;
    status.value().state = RunState::Cancelled;
    status.value().finishedMs = QDateTime::currentMSecsSinceEpoch();
    status.value().error = reason;
    (void)writeRunStatus(runDirOf(studyDir, runId), status.value());
}

void cancelQueuedRuns(const QString& studyDir, const Failure& reason)
{
    for (const QString& runId : queuedRuns(studyDir))
        cancelQueuedRun(studyDir, runId, reason);
}

void cancelQueuedRuns(const QString& studyDir)
{
    cancelQueuedRuns(studyDir,
                     {u"cancelled"_s, Launcher::tr("Not started: the study was stopped before.")});
}

static QString stopMarker(const QString& studyDir)
{
    return studyDir + u"/stop_after_run"_s;
}

bool stopAfterRunRequested(const QString& studyDir)
{
    return QFileInfo::exists(stopMarker(studyDir));
}

Result<void> requestStopAfterRun(const QString& studyDir)
{
    return writeFileAtomically(stopMarker(studyDir), {});
}

void withdrawStopAfterRun(const QString& studyDir)
{
    QFile::remove(stopMarker(studyDir));
}

static QString pauseMarker(const QString& studyDir)
{
    return studyDir + u"/paused"_s;
}

bool queuePaused(const QString& studyDir)
{
    return QFileInfo::exists(pauseMarker(studyDir));
}

void setQueuePaused(const QString& studyDir, bool paused)
{
    if (paused)
        (void)writeFileAtomically(pauseMarker(studyDir), {});
    else
        QFile::remove(pauseMarker(studyDir));
}

} // namespace scalebench
