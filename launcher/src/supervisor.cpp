// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/supervisor.h"

#include "file_io.h"
#include "launcher/machine_info.h"
#include "launcher/resume.h"
#include "launcher/stream_parser.h"
#include "machine_lock.h"
#include "own_studies.h"
#include "process_tree.h"
#include "remote/nodes.h"
#include "run_end.h"
#include "run_status.h"
#include "study_files.h"
#include "supervision/run_job.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPollMs = 100;
constexpr int kStopStepMs = 3000; ///< between USR1, TERM, TERM and KILL
constexpr char kLockVariable[] = "SCALEBENCH_LOCK_FD";

int secondsFromEnvironment(const char* name, int fallback)
{
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok && value > 0 ? value : fallback;
}

/// What runs on though its supervisor is gone.
bool goesOnAlone(const RunStatus& status)
{
    return !status.slurmJob.isEmpty() && !isFinal(status.state) && status.state != RunState::Queued;
}

/// One run from start to verdict.
class Supervision : public StatusSink
{
public:
    Supervision(QString studyDir, QString runId)
        : m_studyDir(std::move(studyDir)), m_runDir(runDirOf(m_studyDir, runId))
    {
    }

    int run()
    {
        if (!prepare())
            return 3;
        if (waitForMachine() && m_job->start(*this, m_end)) {
            m_lastByte.start();
            watch();
        }
        finish();
        return m_stopRequested ? 130 : 0;
    }

    RunStatus& status() override { return m_status; }
    void publish(RunState state) override
    {
        // A stop that arrived while starting stays visible.
        setState(m_stopRequested && !isFinal(state) ? RunState::Stopping : state);
    }
    bool stopRequested() override
    {
        readSignals();
        return m_stopRequested;
    }
    bool retried() const { return m_retried; } ///< it is in the queue again

    static void blockSignals()
    {
        ::signal(SIGHUP, SIG_IGN);
        ::signal(SIGPIPE, SIG_IGN);
        sigset_t set = handledSignals();
        ::sigprocmask(SIG_BLOCK, &set, nullptr);
        // Ends the poll in watch() when mpirun ends. Not blocked: QProcess of Qt 6.8 lives by it.
        struct sigaction wake = {};
        wake.sa_handler = [](int) {};
        wake.sa_flags = SA_RESTART;
        ::sigaction(SIGCHLD, &wake, nullptr);
    }

private:
    static sigset_t handledSignals()
    {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGINT);
        return set;
    }

    bool prepare()
    {
        const sigset_t set = handledSignals();
        m_signals = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
        const Result<RunRecord> record = loadRunHead(m_runDir);
        const Result<RunStatus> status = readRunStatus(m_runDir);
        if (status)
            m_status = status.value();
        if (!record || !status) {
            m_status.error = record ? status.failure() : record.failure();
            m_status.finishedMs = QDateTime::currentMSecsSinceEpoch();
            setState(RunState::Failed);
            return false;
        }
        m_record = record.value();
        const Result<TargetMachine> machine = studyMachine(m_studyDir);
        const bool slurm = machine && machine.value().kind == TargetMachine::Kind::Slurm;
        const bool takenOver = slurm && goesOnAlone(m_status);
        if (m_status.state != RunState::Queued && !takenOver)
            return false;
        m_status.supervisor = ProcessIdentity::self();
        m_stopRequested = m_status.state == RunState::Stopping;
        if (!takenOver) {
            m_status.startedMs = QDateTime::currentMSecsSinceEpoch();
            m_status.state = RunState::Starting;
        }
        setState(m_status.state);
        if (!machine) {
            m_status.error = machine.failure();
            m_status.finishedMs = QDateTime::currentMSecsSinceEpoch();
            setState(RunState::Failed);
            return false;
        }
        m_machineLock = std::make_unique<MachineLock>(machine.value());
        m_job = makeRunJob({m_studyDir, m_runDir, machine.value(), m_record});
        return true;
    }

    void setState(RunState state)
    {
        m_status.state = state;
        if (const Result<void> written = writeRunStatus(m_runDir, m_status); !written)
            qWarning("%s", qPrintable(written.failure().message));
    }

    /// Until no other study's run is going on there. False when stopped meanwhile.
    bool waitForMachine()
    {
        const Result<Study> study = loadStudyHead(m_studyDir);
        if (study && !study.value().spec.exclusive)
            return true;
        const QString name = study && !study.value().spec.name.isEmpty()
                                 ? study.value().spec.name
                                 : QFileInfo(m_studyDir).fileName();
        while (!m_machineLock->tryAcquire(u"\"%1\" (%2)"_s.arg(name, m_studyDir))) {
            const QString text =
                u"Waits for the study %1 on the same machine."_s.arg(m_machineLock->holder());
            if (m_status.waiting != text) {
                m_status.waiting = text;
                setState(RunState::Starting);
            }
            if (stopRequested())
                return false;
            ::usleep(200'000);
        }
        m_status.waiting.clear();
        return !stopRequested();
    }

    void watch()
    {
        while (!m_job->poll(*this, m_end)) {
            QCoreApplication::processEvents(); // of ssh connections
            pollfd fd{m_signals, POLLIN, 0};
            ::poll(&fd, 1, kPollMs);
            readSignals();
            readStream();
            if (m_stopRequested || m_end.stalled)
                escalate();
            else if (m_job->isGoingOn())
                checkStall();
            else
                m_lastByte.restart();
        }
    }

    void readSignals()
    {
        signalfd_siginfo info;
        while (::read(m_signals, &info, sizeof info) == sizeof info) {
            if (!m_stopRequested) {
                m_stopRequested = true;
                setState(RunState::Stopping);
            }
        }
    }

    void readStream()
    {
        if (!m_stream.isOpen()) {
            if (!openOrdinaryFile(m_stream, m_runDir + u"/result_0.txt"_s))
                return;
        }
        while (true) {
            const QByteArray bytes = m_stream.read(1 << 20);
            if (bytes.isEmpty())
                return;
            RunDelta delta = m_parser.feed(bytes);
            m_sawRecord = m_sawRecord || m_parser.bytesConsumed() > 0;
            if (!delta.steps.isEmpty()) // only the last point matters here
                delta.steps = {delta.steps.last()};
            m_record.steps.clear();
            m_record.apply(delta);
            if (m_record.steps.isEmpty() && m_lastStep.step > 0)
                m_record.steps << m_lastStep;
            else if (!m_record.steps.isEmpty())
                m_lastStep = m_record.steps.last();
            m_lastByte.restart();
        }
    }

    void checkStall()
    {
        if (m_record.runStopMs > 0)
            return checkLingering();
        const int limit = (m_sawRecord ? secondsFromEnvironment("SCALEBENCH_STALL_S", 60)
                                       : secondsFromEnvironment("SCALEBENCH_START_S", 30)) +
                          m_job->slackSeconds();
        if (m_lastByte.elapsed() < qint64(limit) * 1000)
            return;
        m_end.stalled = true;
        m_end.stallText = stallText(limit);
        setState(RunState::Stopping);
    }

    /// The stream is complete but mpirun stays: a rank hangs at the end. The result stands.
    void checkLingering()
    {
        if (m_lastByte.elapsed() > 15'000 + qint64(m_job->slackSeconds()) * 1000)
            m_end.stalled = true;
    }

    QString stallText(int limit) const
    {
        if (!m_sawRecord)
            return m_record.config.nodes > 1
                       ? u"The engine wrote nothing for %1 s after mpirun was started on %2. Often "
                         u"a "
                         "firewall drops what the hosts send to one another or to this computer, "
                         "or "
                         "the wrong network interface is used: name it in the target machine."_s
                             .arg(limit)
                             .arg(m_record.config.hosts.join(u", "_s))
                       : u"The engine wrote nothing for %1 s after mpirun was started. Its "
                         u"processes "
                         "may hang while starting; see the messages of mpirun."_s.arg(limit);
        QString where = u"before the first step"_s;
        if (m_lastStep.step > 0)
            where =
                u"after step %1 (epoch %2)"_s.arg(m_lastStep.step).arg(m_lastStep.epoch, 0, 'f', 2);
        if (!m_record.phase.isEmpty() && m_record.phase != "train"_L1)
            where += u", while busy with \"%1\""_s.arg(m_record.phase);
        QString text = u"No progress for %1 s %2."_s.arg(limit).arg(where);
        for (const WorkerInfo& worker : m_record.workers) {
            ProcessStat stat;
            const QString name = u" Rank %1 on %2"_s.arg(worker.rank).arg(worker.host);
            if (!readProcessStat(worker.pid, stat))
                text += name + u" is gone."_s;
            else if (stat.state == 'T' || stat.state == 't')
                text += name + u" is suspended (SIGSTOP)."_s;
            else if (stat.state == 'D')
                text += name + u" waits for a disk or the network file system."_s;
        }
        return text;
    }

    /// Gently first, then for certain (RunJob::escalate).
    void escalate()
    {
        if (m_stopStep == 0 && m_end.stalled)
            m_stopStep = 1; // who does not progress does not stop cleanly either
        const bool due = !m_stopClock.isValid() || m_stopClock.elapsed() >= kStopStepMs;
        if (!due)
            return;
        m_stopClock.restart();
        m_job->escalate(m_stopStep++);
    }

    void finish()
    {
        m_job->cleanUp(*this, m_end);
        restoreStream(m_runDir);
        readStream();
        readSignals();
        m_end.stopRequested = m_stopRequested;
        m_end.launcherText = tailOfFile(m_runDir + u"/launcher.txt"_s, 60);
        for (const int rank : ranksWithStderr(m_runDir, m_record.config.workers)) {
            const QString text = tailOfFile(m_runDir + u"/stderr_%1.txt"_s.arg(rank), 20);
            if (!text.isEmpty())
                m_end.rankTexts.insert(rank, text);
        }
        const RunVerdict verdict = judgeRunEnd(m_end, m_record);
        m_status.error = verdict.failure;
        m_status.waiting.clear();
        m_status.exitCode = m_end.exited ? m_end.exitCode : 128 + m_end.signal;
        m_status.finishedMs = QDateTime::currentMSecsSinceEpoch();
        // Followers take Failed for the end, so a run to be tried again is never seen in it.
        if (verdict.state == RunState::Failed && !m_stopRequested && wantsRetry()) {
            if (requeueForRetry(m_runDir, verdict.failure.message)) {
                m_retried = true;
                return;
            }
        }
        setState(verdict.state);
    }

    bool wantsRetry() const
    {
        const Result<Study> study = loadStudyHead(m_studyDir);
        return study && m_status.attempt < study.value().spec.retries &&
               !stopAfterRunRequested(m_studyDir);
    }

    QString m_studyDir, m_runDir;
    int m_signals = -1;
    std::unique_ptr<RunJob> m_job;
    std::unique_ptr<MachineLock> m_machineLock;
    bool m_retried = false;
    RunStatus m_status;
    RunRecord m_record;
    StepPoint m_lastStep;
    RunEnd m_end;
    QFile m_stream;
    StreamParser m_parser;
    QElapsedTimer m_lastByte, m_stopClock;
    int m_stopStep = 0;
    bool m_stopRequested = false;
    bool m_sawRecord = false;
};

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
    Supervision::blockSignals();
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
    if (stopAfterRunRequested(studyDir) && !(status && goesOnAlone(status.value()))) {
        cancelQueuedRuns(studyDir);
        return 0;
    }
    Supervision supervision(studyDir, runId);
    const int code = supervision.run();
    if (supervision.stopRequested() || stopAfterRunRequested(studyDir)) {
        cancelQueuedRuns(studyDir);
        return code;
    }
    continueWithNextRun(studyDir, supervision.retried() ? QString() : runId, lock);
    return code;
}

static Result<qint64> startSupervisor(const QString& studyDir, const QString& runId)
{
    const QString program = findProgram(u"scalebench"_s);
    if (program.isEmpty())
        return Failure{
            u"scalebench_missing"_s,
            u"The program scalebench was not found beside this one or in PATH. Install it again."_s};
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
                       u"%1 could not be started: %2."_s.arg(program, process.errorString())};
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
                       u"%1 has no run that waits to be started."_s.arg(studyDir)};
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
/// kept.
static void endOnHosts(const TargetMachine& machine, const QString& runDir, RunStatus& status)
{
    const Result<RunRecord> head = loadRunHead(runDir);
    if (machine.kind != TargetMachine::Kind::Ssh || !head)
        return;
    if (const Result<NodeRun> run = NodeRun::from(machine, head.value().config, runDir, false))
        status.nodeEnds = finishNodes(run.value(), run.value().hosts, false, true);
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
    if (slurm && goesOnAlone(status)) // a job's number elsewhere is nobody's word
        return takeOver(runDir, lock);
    const bool sameBoot = status.supervisor.bootId == currentBootId();
    const RunProcesses processes{sameBoot ? status.mpirunSession : 0, status.mpirunTicks, runDir,
                                 true};
    const bool gone = processes.kill(5000, false);
    if (machine)
        endOnHosts(machine.value(), runDir, status);

    const Result<RunRecord> loaded = loadRun(runDir);
    const RunRecord record = loaded ? loaded.value() : RunRecord();
    if (record.stopStatus == "success"_L1) {
        status.state = RunState::Completed;
        status.error = {};
    } else {
        const auto complete = record.epochs.size();
        status.state = RunState::Failed;
        status.error = {
            u"supervisor_lost"_s,
            u"The process that watched over this run was killed, so the run was ended; %1 "
            "complete epoch(s) are kept."_s.arg(complete)};
        if (!sameBoot)
            status.error.message =
                u"The computer was restarted while this run was going on; %1 complete "
                "epoch(s) are kept."_s.arg(complete);
        if (!gone)
            status.error.message += u" Some of its processes could not be ended."_s;
        status.error.details = tailOfFile(runDir + u"/launcher.txt"_s, 40);
    }
    status.finishedMs = QDateTime::currentMSecsSinceEpoch();
    return writeRunStatus(runDir, status).ok();
}

} // namespace scalebench
