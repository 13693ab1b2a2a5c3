// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/supervisor.h"

#include "base/file_io.h"
#include "base/process_tree.h"
#include "base/translated.h"
#include "machine/open_mpi.h"
#include "machine/study_machine.h"
#include "machine/this_computer.h"
#include "mirror/node_fetch.h"
#include "run/attempt_logs.h"
#include "run/checkpoints.h"
#include "run/own_studies.h"
#include "run/resume.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "run/study_queue.h"
#include "supervise/forgotten_job.h"
#include "supervise/run_supervision.h"
#include "supervise/study_limits.h"
#include "supervise/supervisor_signals.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QThread>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr char kLockVariable[] = "SCALEBENCH_LOCK_FD";

/// Replaces this process by the supervisor of the next queued run; returns only where none is left.
void continueWithNextRun(const QString& studyDir, const QString& doneRunId, StudyLock& lock)
{
    const QStringList queued = queuedRuns(studyDir);
    if (queuePaused(studyDir))
        return; // whoever ends the pause starts a new supervisor
    if (queued.isEmpty() || queued.first() == doneRunId)
        return; // a run whose state cannot be written would be started for ever
    ::setenv(kLockVariable, QByteArray::number(lock.passOn()).constData(), 1);
    const QByteArray study = QFile::encodeName(studyDir), run = QFile::encodeName(queued.first());
    ::execl("/proc/self/exe", "scalebench", "supervise", study.constData(), run.constData(),
            nullptr);
    qWarning("scalebench supervise: %s", ::strerror(errno));
}

} // namespace

int superviseRun(const QString& studyDirGiven, const QString& runId)
{
    const QString studyDir = QFileInfo(studyDirGiven).absoluteFilePath();
    prepareSupervisorSignals();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    StudyLock lock;
    bool inherited = false;
    const int fd = qEnvironmentVariableIntValue(kLockVariable, &inherited);
    ::unsetenv(kLockVariable);
    if (!(inherited && lock.adopt(studyDir, fd)) && !lock.acquire(studyDir, 2000)) {
        qWarning("another supervisor works on %s", qPrintable(studyDir));
        return 0;
    }
    // Whoever called it: what is launched is what was planned here, run for run.
    if (const Result<void> own = checkOwnStudy(studyDir); !own) {
        qWarning("scalebench supervise: %s", qPrintable(own.failure().message));
        return 2;
    }
    const Result<RunStatus> status = readRunStatus(runDirOf(studyDir, runId));
    const bool goesOn = status && goesOnAlone(status.value());
    if (stopAfterRunRequested(studyDir) && !goesOn) {
        cancelQueuedRuns(studyDir);
        return 0;
    }
    // Else one run after the other would begin and fail; so they are resumed when there is room.
    if (const Result<void> room = hasRoomToBegin(studyDir); !room && !goesOn) {
        cancelQueuedRuns(studyDir, room.failure());
        return 3;
    }
    const SupervisedRun run = superviseOneRun(studyDir, runId);
    if (run.stopRequested || stopAfterRunRequested(studyDir)) {
        cancelQueuedRuns(studyDir);
        return run.exitCode;
    }
    applyStudyLimits(studyDir);
    continueWithNextRun(studyDir, run.retried ? QString() : runId, lock);
    return run.exitCode;
}

static Result<qint64> startSupervisor(const QString& studyDir, const QString& runId)
{
    const QString program = findProgram(u"scalebench"_s);
    if (program.isEmpty())
        return Failure{u"scalebench_missing"_s,
                       Launcher::tr("The program scalebench was not found beside this one or in "
                                    "PATH. Install it again.")};
    QProcess process;
    process.setProgram(program);
    process.setArguments({u"supervise"_s, studyDir, runId});
    process.setStandardInputFile(QProcess::nullDevice());
    const QString log = studyDir + u"/supervisor.log"_s;
    if (QFileInfo(log).isSymLink()) // nothing is written through it
        QFile::remove(log);
    process.setStandardOutputFile(log, QIODevice::Append);
    process.setStandardErrorFile(log, QIODevice::Append);
    qint64 pid = 0;
    if (!process.startDetached(&pid))
        return Failure{u"supervisor_not_started"_s,
                       Launcher::tr("%1 could not be started: %2.")
                           .arg(program, systemText(process.errorString()))};
    return pid;
}

Result<qint64> startSupervisor(const QString& studyDirGiven)
{
    const QString studyDir = QFileInfo(studyDirGiven).absoluteFilePath();
    if (const Result<void> own = checkOwnStudy(studyDir); !own)
        return own.failure();
    const QStringList queued = queuedRuns(studyDir);
    if (queued.isEmpty())
        return Failure{u"nothing_queued"_s,
                       Launcher::tr("%1 has no run that waits to be started.").arg(studyDir)};
    return startSupervisor(studyDir, queued.first());
}

/// A new supervisor for a job that goes on; true once it has the study.
static bool takeOver(const QString& runDir, StudyLock& lock)
{
    const QString studyDir = studyDirOf(runDir);
    lock.release();
    if (!startSupervisor(studyDir, QFileInfo(runDir).fileName()))
        return false;
    QElapsedTimer clock;
    clock.start();
    while (!lockHolder(studyDir) && clock.elapsed() < 3000)
        ::usleep(20'000);
    return true;
}

/// Of a run over hosts: mpirun and its daemons may have left ranks there. What they measured is
/// fetched; returns what is to be said where not all of it could be.
static QString endOnHosts(const TargetMachine& machine, const QString& runDir, RunStatus& status)
{
    const Result<RunRecord> head = loadRunHead(runDir);
    if (machine.kind != TargetMachine::Kind::Ssh || !head)
        return {};
    const Result<NodeRun> run = NodeRun::from(machine, head.value().config, runDir, false);
    if (!run)
        return {};
    const ClosedNodes closed = closeNodes(run.value());
    status.nodeEnds = closed.ends;
    return closed.remains;
}

bool recoverRun(const QString& runDirGiven)
{
    const QString runDir = QFileInfo(runDirGiven).absoluteFilePath();
    const Result<TargetMachine> machine = studyMachine(studyDirOf(runDir));
    if (machine && machine.value().isBehindLogin())
        return false; // its supervisor is there
    const auto isOrphaned = [&] {
        const Result<RunStatus> status = readRunStatus(runDir);
        return status && !isFinal(status.value().state) &&
               status.value().state != RunState::Queued && !status.value().supervisor.isAlive();
    };
    if (!isOrphaned() || !isOwnStudy(studyDirOf(runDir)))
        return false;
    StudyLock lock;
    if (!lock.acquire(studyDirOf(runDir), 2000) || !isOrphaned())
        return false;
    RunStatus status = readRunStatus(runDir).value();
    const bool slurm = machine && machine.value().kind == TargetMachine::Kind::Slurm;
    if (slurm && status.slurmJob.isEmpty()) { // it may have died before it noted the number
        status.slurmJob = awaitForgottenJob(runDir);
        if (status.slurmJob.isEmpty() && QThread::currentThread()->isInterruptionRequested())
            return false; // not known yet: whoever looks at the study next finds out
        if (goesOnAlone(status) && !writeRunStatus(runDir, status))
            return false;
    }
    if (slurm && goesOnAlone(status)) // a job's number elsewhere is nobody's word
        return takeOver(runDir, lock);
    const bool sameBoot = status.supervisor.bootId == currentBootId();
    const RunProcesses processes{sameBoot ? status.mpirunSession : 0, status.mpirunTicks, runDir,
                                 true};
    const bool gone = processes.kill(5000, false);
    if (sameBoot && gone && status.mpirunPid > 0)
        OpenMpi::removeLeft(status.mpirunPid);
    const QString remains = machine ? endOnHosts(machine.value(), runDir, status) : QString();

    restoreStream(runDir);
    const Result<RunRecord> loaded = loadRun(runDir);
    const RunRecord record = loaded ? loaded.value() : RunRecord();
    if (record.stopStatus == "success"_L1) {
        status.state = RunState::Completed;
        status.error = {};
    } else {
        const QString kept = whatIsKept(runDir, record.epochs.size());
        status.state = RunState::Failed;
        status.error = {
            u"supervisor_lost"_s,
            Launcher::tr(
                "The process that watched over this run was killed, so the run was ended; %1.")
                .arg(kept)};
        if (!sameBoot)
            status.error.message =
                Launcher::tr("The computer was restarted while this run was going on; %1.")
                    .arg(kept);
        if (!remains.isEmpty())
            status.error.message += u' ' + remains;
        if (!gone)
            status.error.message +=
                u' ' + Launcher::tr("Some of its processes could not be ended.");
        status.error.details = tailOfAttempt(runDir, u"launcher.txt"_s, 40);
    }
    status.finishedMs = QDateTime::currentMSecsSinceEpoch();
    return writeRunStatus(runDir, status).ok();
}

} // namespace scalebench
