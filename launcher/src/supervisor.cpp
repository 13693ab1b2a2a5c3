// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/supervisor.h"

#include "file_io.h"
#include "launcher/machine_info.h"
#include "launcher/resume.h"
#include "launcher/run_config.h"
#include "launcher/stream_parser.h"
#include "process_tree.h"
#include "run_end.h"
#include "run_status.h"
#include "study_files.h"

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

/// argv and envp for execve, which may not allocate after fork().
class ExecArguments
{
public:
    explicit ExecArguments(const LaunchCommand& command)
        : m_program(QFile::encodeName(command.program))
    {
        m_words << m_program;
        for (const QString& argument : command.arguments)
            m_words << QFile::encodeName(argument);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(command.environment);
        environment.remove(QString::fromLatin1(kLockVariable));
        for (const QString& line : environment.toStringList())
            m_environment << QFile::encodeName(line);
        for (QByteArray& word : m_words)
            m_argv << word.data();
        m_argv << nullptr;
        for (QByteArray& line : m_environment)
            m_envp << line.data();
        m_envp << nullptr;
    }

    void exec() { ::execvpe(m_program.constData(), m_argv.data(), m_envp.data()); }

private:
    QByteArray m_program;
    QList<QByteArray> m_words, m_environment;
    QList<char*> m_argv, m_envp;
};

/// One run from start to verdict.
class Supervision
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
        startMpirun();
        if (m_pid > 0)
            watch();
        finish();
        return m_stopRequested ? 130 : 0;
    }

    bool stopRequested() const { return m_stopRequested; }

    static void blockSignals()
    {
        ::signal(SIGHUP, SIG_IGN);
        ::signal(SIGPIPE, SIG_IGN);
        sigset_t set = handledSignals();
        ::sigprocmask(SIG_BLOCK, &set, nullptr);
    }

private:
    static sigset_t handledSignals()
    {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGCHLD);
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
        if (m_status.state != RunState::Queued)
            return false;
        m_status.supervisor = ProcessIdentity::self();
        m_status.startedMs = QDateTime::currentMSecsSinceEpoch();
        const MachineInfo machine = MachineInfo::probe(false);
        m_command = localMpirunCommand(m_record.config, machine, m_runDir);
        m_status.command = QStringList(m_command.program) + m_command.arguments;
        setState(RunState::Starting);
        return true;
    }

    void setState(RunState state)
    {
        m_status.state = state;
        if (const Result<void> written = writeRunStatus(m_runDir, m_status); !written)
            qWarning("%s", qPrintable(written.failure().message));
    }

    void startMpirun()
    {
        ExecArguments arguments(m_command);
        const QByteArray log = QFile::encodeName(m_runDir + u"/launcher.txt"_s);
        int failurePipe[2];
        if (::pipe2(failurePipe, O_CLOEXEC) != 0)
            return startFailed(errno);
        const pid_t parent = ::getpid();
        m_pid = ::fork();
        if (m_pid == 0) {
            becomeMpirun(arguments, log, failurePipe[1], parent);
        }
        const int forkError = errno;
        ::close(failurePipe[1]);
        int error = 0;
        if (m_pid < 0)
            error = forkError;
        else if (::read(failurePipe[0], &error, sizeof error) != sizeof error)
            error = 0; // closed by exec: it runs
        ::close(failurePipe[0]);
        if (error != 0) {
            if (m_pid > 0)
                ::waitpid(m_pid, nullptr, 0);
            m_pid = -1;
            return startFailed(error);
        }
        m_status.mpirunPid = m_status.mpirunSession = m_pid;
        m_status.mpirunTicks = ProcessIdentity::of(m_pid).startTicks;
        setState(RunState::Running);
        m_lastByte.start();
    }

    /// In the forked child: only async-signal-safe calls from here to exec.
    [[noreturn]] static void becomeMpirun(ExecArguments& arguments, const QByteArray& log,
                                          int failurePipe, pid_t parent)
    {
        ::setsid();
        ::prctl(PR_SET_PDEATHSIG, SIGTERM); // killing the supervisor ends the run
        if (::getppid() != parent)
            ::_exit(126);
        const int in = ::open("/dev/null", O_RDONLY);
        const int out = ::open(log.constData(), O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (in >= 0 && out >= 0) {
            ::dup2(in, 0);
            ::dup2(out, 1);
            ::dup2(out, 2);
            ::signal(SIGHUP, SIG_DFL);
            ::signal(SIGPIPE, SIG_DFL);
            sigset_t none;
            sigemptyset(&none);
            ::sigprocmask(SIG_SETMASK, &none, nullptr);
            arguments.exec();
        }
        const int error = errno;
        if (::write(failurePipe, &error, sizeof error) < 0)
            ::_exit(125);
        ::_exit(127);
    }

    void startFailed(int error)
    {
        m_end.startFailed = true;
        m_end.startError = QString::fromLocal8Bit(::strerror(error));
        if (error == ENOENT)
            m_end.startError =
                u"%1 was not found. Install Open MPI (Debian, Ubuntu: apt install openmpi-bin)"_s
                    .arg(m_command.program);
    }

    void watch()
    {
        while (!mpirunEnded()) {
            pollfd fd{m_signals, POLLIN, 0};
            ::poll(&fd, 1, kPollMs);
            readSignals();
            readStream();
            if (m_stopRequested || m_end.stalled)
                escalate();
            else
                checkStall();
        }
    }

    bool mpirunEnded()
    {
        int status = 0;
        pid_t ended;
        while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0) {
            if (ended != m_pid)
                continue; // an orphan of the run that init would have adopted
            m_end.exited = WIFEXITED(status);
            m_end.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
            m_end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            return true;
        }
        return false;
    }

    void readSignals()
    {
        signalfd_siginfo info;
        while (::read(m_signals, &info, sizeof info) == sizeof info) {
            if (info.ssi_signo != SIGCHLD && !m_stopRequested) {
                m_stopRequested = true;
                setState(RunState::Stopping);
            }
        }
    }

    void readStream()
    {
        if (!m_stream.isOpen()) {
            m_stream.setFileName(m_runDir + u"/result_0.txt"_s);
            if (!m_stream.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
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
        const int limit = m_sawRecord ? secondsFromEnvironment("SCALEBENCH_STALL_S", 60)
                                      : secondsFromEnvironment("SCALEBENCH_START_S", 30);
        if (m_lastByte.elapsed() < qint64(limit) * 1000)
            return;
        m_end.stalled = true;
        m_end.stallText = stallText(limit);
        setState(RunState::Stopping);
    }

    /// The stream is complete but mpirun stays: a rank hangs at the end. The result stands.
    void checkLingering()
    {
        if (m_lastByte.elapsed() > 15'000)
            m_end.stalled = true;
    }

    QString stallText(int limit) const
    {
        if (!m_sawRecord)
            return u"The engine wrote nothing for %1 s after mpirun was started. Its processes may "
                   u"hang "
                   "while starting; see the messages of mpirun."_s.arg(limit);
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

    /// USR1 (the engine ends cleanly), TERM, TERM again (mpirun then gives up waiting), KILL.
    void escalate()
    {
        static constexpr int kSignals[] = {SIGUSR1, SIGTERM, SIGTERM};
        if (m_stopStep == 0 && m_end.stalled)
            m_stopStep = 1; // who does not progress does not stop cleanly either
        const bool due = !m_stopClock.isValid() || m_stopClock.elapsed() >= kStopStepMs;
        if (!due)
            return;
        m_stopClock.restart();
        if (m_stopStep < int(std::size(kSignals)))
            ::kill(m_pid, kSignals[m_stopStep]);
        else
            processes().kill(kStopStepMs, false);
        ++m_stopStep;
    }

    RunProcesses processes() const
    {
        return {m_status.mpirunSession, m_status.mpirunTicks, m_runDir};
    }

    void finish()
    {
        if (m_pid > 0) {
            waitForRanks();
            if (!processes().kill(5000, true))
                m_end.processesLeft = int(processes().alive().size());
            removeSessionFolder();
        }
        restoreStream(m_runDir);
        readStream();
        readSignals();
        m_end.stopRequested = m_stopRequested;
        m_end.launcherText = tailOfFile(m_runDir + u"/launcher.txt"_s, 60);
        for (int rank = 0; rank < m_record.config.workers; ++rank) {
            const QString text = tailOfFile(m_runDir + u"/stderr_%1.txt"_s.arg(rank), 20);
            if (!text.isEmpty())
                m_end.rankTexts.insert(rank, text);
        }
        const RunVerdict verdict = judgeRunEnd(m_end, m_record);
        m_status.error = verdict.failure;
        m_status.exitCode = m_end.exited ? m_end.exitCode : 128 + m_end.signal;
        m_status.finishedMs = QDateTime::currentMSecsSinceEpoch();
        setState(verdict.state);
    }

    /// Ranks that lost mpirun end by themselves within a moment and may still write last words.
    void waitForRanks()
    {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 1500 && !processes().alive().isEmpty()) {
            while (::waitpid(-1, nullptr, WNOHANG) > 0) {
            }
            ::usleep(20'000);
        }
    }

    /// Killed runs leave ompi.HOST.UID/pid.PID behind; it is ours alone.
    void removeSessionFolder()
    {
        const QDir temporary(QDir::tempPath());
        for (const QString& name :
             temporary.entryList({u"ompi.*.%1"_s.arg(::getuid())}, QDir::Dirs)) {
            const QString folder = temporary.filePath(name) + u"/pid.%1"_s.arg(m_pid);
            const QFileInfo info(folder);
            if (info.isDir() && !info.isSymLink() && info.ownerId() == ::getuid())
                QDir(folder).removeRecursively();
        }
    }

    QString m_studyDir, m_runDir;
    int m_signals = -1;
    pid_t m_pid = -1;
    LaunchCommand m_command;
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
    if (stopAfterRunRequested(studyDir)) {
        cancelQueuedRuns(studyDir);
        return 0;
    }
    Supervision supervision(studyDir, runId);
    const int code = supervision.run();
    if (supervision.stopRequested() || stopAfterRunRequested(studyDir)) {
        cancelQueuedRuns(studyDir);
        return code;
    }
    continueWithNextRun(studyDir, runId, lock);
    return code;
}

Result<qint64> startSupervisor(const QString& studyDirGiven)
{
    const QString studyDir = QFileInfo(studyDirGiven).absoluteFilePath();
    const QStringList queued = queuedRuns(studyDir);
    if (queued.isEmpty())
        return Failure{u"nothing_queued"_s,
                       u"%1 has no run that waits to be started."_s.arg(studyDir)};
    const QString program = findProgram(u"scalebench"_s);
    if (program.isEmpty())
        return Failure{
            u"scalebench_missing"_s,
            u"The program scalebench was not found beside this one or in PATH. Install it again."_s};
    QProcess process;
    process.setProgram(program);
    process.setArguments({u"supervise"_s, studyDir, queued.first()});
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(studyDir + u"/supervisor.log"_s, QIODevice::Append);
    process.setStandardErrorFile(studyDir + u"/supervisor.log"_s, QIODevice::Append);
    qint64 pid = 0;
    if (!process.startDetached(&pid))
        return Failure{u"supervisor_not_started"_s,
                       u"%1 could not be started: %2."_s.arg(program, process.errorString())};
    return pid;
}

bool recoverRun(const QString& runDirGiven)
{
    const QString runDir = QFileInfo(runDirGiven).absoluteFilePath();
    const auto isOrphaned = [&] {
        const Result<RunStatus> status = readRunStatus(runDir);
        return status && !isFinal(status.value().state) &&
               status.value().state != RunState::Queued && !status.value().supervisor.isAlive();
    };
    if (!isOrphaned())
        return false;
    StudyLock lock;
    if (!lock.acquire(studyDirOf(runDir), 2000) || !isOrphaned())
        return false;
    RunStatus status = readRunStatus(runDir).value();
    const bool sameBoot = status.supervisor.bootId == currentBootId();
    const RunProcesses processes{sameBoot ? status.mpirunSession : 0, status.mpirunTicks, runDir};
    const bool gone = processes.kill(5000, false);

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
