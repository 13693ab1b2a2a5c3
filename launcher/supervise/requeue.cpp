// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/requeue.h"

#include "run/checkpoints.h"
#include "run/disturbance.h"
#include "run/own_studies.h"
#include "run/resume.h"
#include "run/run_status.h"
#include "run/study.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "run/study_queue.h"
#include "supervise/supervisor.h"

#include <QFileInfo>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kLockMs = 2000;

namespace {

Result<bool> isWanted(const QString& runDir, const RunStatus& status, Requeue which, bool named)
{
    const RunState state = status.state;
    if (which == Requeue::Ended)
        return named && isFinal(state);
    if (which == Requeue::Failed)
        return state == RunState::Failed;
    if (which == Requeue::Unfinished)
        return state == RunState::Failed || state == RunState::Queued ||
               (state == RunState::Cancelled && (named || !isLeftOut(state, status.error)));
    if (state != RunState::Completed && state != RunState::NotConverged)
        return false;
    const Result<RunRecord> run = loadRun(runDir);
    if (!run)
        return run.failure();
    return isDisturbed(run.value());
}

Failure nothingToDo(const QString& studyDir, Requeue which)
{
    return {u"usage"_s,
            which == Requeue::Failed  ? u"No run of the study in %1 has failed."_s.arg(studyDir)
            : which == Requeue::Ended ? u"Which runs of the study in %1?"_s.arg(studyDir)
            : which == Requeue::Disturbed
                ? u"No run of the study in %1 that has ended was disturbed."_s.arg(studyDir)
                : u"All runs of the study in %1 have ended by themselves: there is "
                  "nothing to resume."_s.arg(studyDir)};
}

Failure notWanted(const QString& id, Requeue which)
{
    return {u"usage"_s,
            which == Requeue::Failed  ? u"The run \"%1\" has not failed."_s.arg(id)
            : which == Requeue::Ended ? u"The run \"%1\" has not ended."_s.arg(id)
            : which == Requeue::Disturbed
                ? u"The run \"%1\" has not ended, or was not disturbed."_s.arg(id)
                : u"The run \"%1\" has ended by itself: there is nothing to resume."_s.arg(id)};
}

} // namespace

Result<QStringList> requeueRuns(const QString& studyDir, const QStringList& runIds, Requeue which)
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
        const Result<bool> wanted = isWanted(runDir, status.value(), which, !runIds.isEmpty());
        if (!wanted)
            return wanted.failure();
        if (!wanted.value() && !runIds.isEmpty())
            return notWanted(id, which);
        if (!wanted.value())
            continue;
        const bool anew = which == Requeue::Disturbed || which == Requeue::Ended;
        if (anew && !forgetCheckpoints(runDir))
            return Failure{u"not_writable"_s,
                           u"The checkpoint in %1 could not be removed. May the folder be written "
                           "to?"_s.arg(runDir)};
        RunStatus again = status.value();
        if (again.state != RunState::Queued) // what has not begun is not run again
            ++again.attempt; // a follower must not take the new stream for the old one
        again.waiting.clear();
        if (const Result<void> done = requeueRun(runDir, again); !done)
            return done.failure();
        queued << id;
    }
    if (queued.isEmpty())
        return nothingToDo(studyDir, which);
    withdrawStopAfterRun(studyDir);
    return queued;
}

} // namespace scalebench
