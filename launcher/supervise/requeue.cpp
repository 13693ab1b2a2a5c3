// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/requeue.h"

#include "base/file_io.h"
#include "base/translated.h"
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
    return {
        u"usage"_s,
        which == Requeue::Failed
            ? Launcher::tr("No run of the study in %1 has failed.").arg(studyDir)
        : which == Requeue::Ended ? Launcher::tr("Which runs of the study in %1?").arg(studyDir)
        : which == Requeue::Disturbed
            ? Launcher::tr("No run of the study in %1 that has ended was disturbed.").arg(studyDir)
            : Launcher::tr("All runs of the study in %1 have ended by themselves: there is "
                           "nothing to resume.")
                  .arg(studyDir)};
}

/// The study's limits stand, but a person may go beyond them.
Failure onlyLeftOut(const QString& studyDir, const QStringList& runIds)
{
    return {u"usage"_s,
            Launcher::tr("What has not ended in %1 was left out by the study's limits. To run it "
                         "all the same, name it: %2.")
                .arg(studyDir, runIds.join(u", "_s))};
}

Failure notLocked(const QString& studyDir)
{
    if (lockHolder(studyDir))
        return {u"study_running"_s,
                Launcher::tr("The study in %1 is running. Wait for it, or stop it first.")
                    .arg(studyDir)};
    return {u"not_writable"_s,
            Launcher::tr("%1/supervisor.lock could not be locked, so nothing was started. May the "
                         "folder be written to?")
                .arg(studyDir)};
}

Failure notWanted(const QString& id, Requeue which)
{
    return {u"usage"_s,
            which == Requeue::Failed  ? Launcher::tr("The run \"%1\" has not failed.").arg(id)
            : which == Requeue::Ended ? Launcher::tr("The run \"%1\" has not ended.").arg(id)
            : which == Requeue::Disturbed
                ? Launcher::tr("The run \"%1\" has not ended, or was not disturbed.").arg(id)
                : Launcher::tr("The run \"%1\" has ended by itself: there is nothing to resume.")
                      .arg(id)};
}

} // namespace

Result<QStringList> requeueRuns(const QString& studyDir, const QStringList& runIds, Requeue which)
{
    if (const Result<void> own = checkOwnStudy(QFileInfo(studyDir).absoluteFilePath()); !own)
        return own.failure();
    if (const Result<void> room = hasRoomToBegin(studyDir); !room)
        return room.failure();
    const Result<QStringList> plan = readPlan(studyDir);
    if (!plan)
        return plan.failure();
    for (const QString& id : runIds)
        if (!plan.value().contains(id))
            return Failure{u"usage"_s, Launcher::tr("The study has no run \"%1\". Its runs: %2.")
                                           .arg(id, plan.value().join(u", "_s))};
    if (!lockHolder(studyDir)) // a run whose supervisor died is closed first
        for (const QString& id : plan.value())
            (void)recoverRun(runDirOf(studyDir, id));
    StudyLock lock;
    if (!lock.acquire(studyDir, kLockMs))
        return notLocked(studyDir);
    QStringList queued, leftOut;
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
        if (isLeftOut(status.value().state, status.value().error))
            leftOut << id;
        if (!wanted.value())
            continue;
        const bool anew = which == Requeue::Disturbed || which == Requeue::Ended;
        if (anew && !forgetCheckpoints(runDir))
            return Failure{
                u"not_writable"_s,
                Launcher::tr("The checkpoint in %1 could not be removed. May the folder be written "
                             "to?")
                    .arg(runDir)};
        RunStatus again = status.value();
        // What waited when its study was stopped has not begun, and is not run again.
        if (again.startedMs > 0 || !again.slurmJob.isEmpty())
            ++again.attempt; // a follower must not take the new stream for the old one
        again.waiting.clear();
        if (const Result<void> done = requeueRun(runDir, again); !done)
            return done.failure();
        queued << id;
    }
    if (queued.isEmpty())
        return which == Requeue::Unfinished && !leftOut.isEmpty() ? onlyLeftOut(studyDir, leftOut)
                                                                  : nothingToDo(studyDir, which);
    withdrawStopAfterRun(studyDir);
    setQueuePaused(studyDir, false); // or what is resumed would wait for ever
    return queued;
}

} // namespace scalebench
