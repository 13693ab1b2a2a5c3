// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/requeue.h"

#include "run/own_studies.h"
#include "run/resume.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "run/study_queue.h"
#include "supervise/supervisor.h"

#include <QFileInfo>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kLockMs = 2000;

Result<QStringList> requeueRuns(const QString& studyDir, const QStringList& runIds)
{
    if (const Result<void> own = checkOwnStudy(QFileInfo(studyDir).absoluteFilePath()); !own)
        return own.failure();
    const Result<QStringList> plan = readPlan(studyDir);
    if (!plan)
        return plan.failure();
    for (const QString& id : runIds)
        if (!plan.value().contains(id))
            return Failure{u"usage"_s, u"The study has no run \"%1\". Its runs: %2."_s.arg(
                                           id, plan.value().join(u", "_s))};
    if (!lockHolder(studyDir)) // a run whose supervisor died is closed first
        for (const QString& id : plan.value())
            (void)recoverRun(runDirOf(studyDir, id));
    StudyLock lock;
    if (!lock.acquire(studyDir, kLockMs))
        return Failure{
            u"study_running"_s,
            u"The study in %1 is running. Wait for it, or stop it first."_s.arg(studyDir)};
    QStringList queued;
    for (const QString& id : plan.value()) {
        if (!runIds.isEmpty() && !runIds.contains(id))
            continue;
        const QString runDir = runDirOf(studyDir, id);
        const Result<RunStatus> status = readRunStatus(runDir);
        if (!status)
            return status.failure();
        const RunState state = status.value().state;
        const bool resumable =
            state == RunState::Failed || state == RunState::Cancelled || state == RunState::Queued;
        if (!resumable && !runIds.isEmpty())
            return Failure{
                u"usage"_s,
                u"The run \"%1\" has ended by itself: there is nothing to resume."_s.arg(id)};
        if (!resumable)
            continue;
        RunStatus again = status.value();
        ++again.attempt; // a follower must not take the new stream for the old one
        again.waiting.clear();
        if (const Result<void> done = requeueRun(runDir, again); !done)
            return done.failure();
        queued << id;
    }
    if (queued.isEmpty())
        return Failure{u"usage"_s,
                       u"All runs of the study in %1 have ended by themselves: there is nothing to "
                       "resume."_s.arg(studyDir)};
    withdrawStopAfterRun(studyDir);
    return queued;
}

} // namespace scalebench
