// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/mpirun_job.h"

#include "base/file_io.h"
#include "base/translated.h"
#include "machine/open_mpi.h"
#include "machine/this_computer.h"
#include "study/machine_info.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcessEnvironment>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

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

/// In the forked child: only async-signal-safe calls from here to exec.
[[noreturn]] void becomeMpirun(ExecArguments& arguments, const QByteArray& log, int failurePipe,
                               pid_t parent)
{
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGTERM); // killing the supervisor ends the run
    if (::getppid() != parent)
        ::_exit(126);
    const int in = ::open("/dev/null", O_RDONLY);
    const int out = ::open(log.constData(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0666);
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

/// Whether the system can execute this file: a script, or made for this kind of computer. What
/// mpirun 5.0 says of another is a different thing each time, at times nothing.
bool isProgramForHere(const QString& path)
{
    const auto begin = [](const QString& name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.read(20) : QByteArray();
    };
    const auto kind = [](const QByteArray& elf) { return elf.mid(4, 2) + elf.mid(18, 2); };
    const QByteArray text = begin(path);
    if (text.isEmpty() || text.startsWith("#!")) // what cannot be read may still be executed
        return true;
    return text.startsWith("\177ELF") && kind(text) == kind(begin(u"/proc/self/exe"_s));
}

} // namespace

bool MpirunJob::start(StatusSink& sink, RunEnd& end)
{
    const MachineInfo machine = probeThisComputer(false);
    if (!isProgramForHere(machine.enginePath)) {
        end.launchFailure = {
            u"engine_not_started"_s,
            Launcher::tr("The engine could not be started: %1 is no program for this kind of "
                         "computer. Build or install it again.")
                .arg(machine.enginePath)};
        return false;
    }
    const RunConfig& config = m_place.record.config;
    LaunchCommand command = localMpirunCommand(config, machine, m_place.runDir);
    const QMap<QString, QString> ranks = rankEnvironment(config, m_place.machine);
    for (auto it = ranks.begin(); it != ranks.end(); ++it) // ranks here inherit mpirun's
        command.environment.insert(it.key(), it.value());
    return launch(command, sink, end);
}

bool MpirunJob::launch(const LaunchCommand& command, StatusSink& sink, RunEnd& end)
{
    sink.status().command = QStringList(command.program) + command.arguments;
    LaunchCommand marked = command;
    marked.environment.insert(QString::fromLatin1(kRunMark), m_place.runDir);
    ExecArguments arguments(marked);
    const QByteArray log = QFile::encodeName(m_place.runDir + u"/launcher.txt"_s);
    int error = 0;
    int failurePipe[2];
    if (::pipe2(failurePipe, O_CLOEXEC) != 0) {
        error = errno;
    } else {
        const pid_t parent = ::getpid();
        m_pid = ::fork();
        if (m_pid == 0)
            becomeMpirun(arguments, log, failurePipe[1], parent);
        const int forkError = errno;
        ::close(failurePipe[1]);
        if (m_pid < 0)
            error = forkError;
        else if (::read(failurePipe[0], &error, sizeof error) != sizeof error)
            error = 0; // closed by exec: it runs
        ::close(failurePipe[0]);
    }
    if (error != 0) {
        if (m_pid > 0)
            ::waitpid(m_pid, nullptr, 0);
        m_pid = -1;
        QString why = systemText(QString::fromLocal8Bit(::strerror(error)));
        if (error == ENOENT)
            why =
                Launcher::tr(
                    "%1 was not found. Install Open MPI (Debian, Ubuntu: apt install openmpi-bin)")
                    .arg(command.program);
        end.launchFailure = {u"mpirun_not_started"_s,
                             Launcher::tr("mpirun could not be started: %1.").arg(why)};
        return false;
    }
    m_startTicks = ProcessIdentity::of(m_pid).startTicks;
    sink.status().mpirunPid = sink.status().mpirunSession = m_pid;
    sink.status().mpirunTicks = m_startTicks;
    sink.publish(RunState::Running);
    return true;
}

bool MpirunJob::poll(StatusSink&, RunEnd& end)
{
    // Peeked at first: a child of QProcess (ssh) is for Qt to wait for, an orphan of the run, which
    // init would have adopted, for us.
    siginfo_t info{};
    while (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
        ProcessStat stat;
        const bool ofRun =
            info.si_pid == m_pid || (readProcessStat(info.si_pid, stat) && stat.session == m_pid);
        if (!ofRun)
            break;
        int status = 0;
        ::waitpid(info.si_pid, &status, WNOHANG);
        if (info.si_pid != m_pid)
            continue;
        end.exited = WIFEXITED(status);
        end.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        return true;
    }
    int status = 0; // where another's zombie is first in line
    if (::waitpid(m_pid, &status, WNOHANG) != m_pid)
        return false;
    end.exited = WIFEXITED(status);
    end.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return true;
}

QList<SuspendedProcess> MpirunJob::suspended()
{
    QList<SuspendedProcess> found;
    ProcessStat stat;
    for (const qint64 pid : processes().alive())
        if (pid != m_pid && readProcessStat(pid, stat) && stat.state == 'T')
            found << SuspendedProcess{{}, pid};
    return found;
}

/// USR1 (the engine ends cleanly), TERM, TERM again (mpirun then gives up waiting), KILL.
void MpirunJob::escalate(int step)
{
    static constexpr int kSignals[] = {SIGUSR1, SIGTERM, SIGTERM};
    if (step < int(std::size(kSignals)))
        ::kill(m_pid, kSignals[step]);
    else
        processes().kill(3000, false);
}

RunProcesses MpirunJob::processes() const
{
    return {m_pid, m_startTicks, m_place.runDir};
}

void MpirunJob::cleanUp(StatusSink&, RunEnd& end)
{
    if (m_pid <= 0)
        return;
    waitForRanks();
    if (!processes().kill(5000, true))
        end.processesLeft = int(processes().alive().size());
    OpenMpi::removeLeft(m_pid);
}

/// Ranks that lost mpirun end by themselves within a moment and may still write last words.
void MpirunJob::waitForRanks()
{
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 1500 && !processes().alive().isEmpty()) {
        reapChildrenOf(m_pid);
        ::usleep(20'000);
    }
}

std::unique_ptr<RunJob> makeLocalJob(const RunPlace& place)
{
    return std::make_unique<MpirunJob>(place);
}

} // namespace scalebench
