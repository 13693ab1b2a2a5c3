// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"

#include "base/plain_text.h"

#include <QFileInfo>
#include <QSet>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

QString counted(qint64 count, const QString& one, const QString& many)
{
    const QString& word = count == 1 ? one : many.isEmpty() ? one + u's' : many;
    return QString::number(count) + u' ' + word;
}

void out(const QString& text)
{
    outRaw(visibleText(text));
}

void outRaw(const QString& text)
{
    const QByteArray bytes = text.toUtf8();
    std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stdout);
    std::fflush(stdout);
}

void error(const QString& text)
{
    const QByteArray bytes = "scalebench: " + visibleText(text).toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stderr);
    std::fflush(stderr);
}

void printJson(const QJsonDocument& document)
{
    outRaw(jsonText(document));
}

int report(const Failure& failure)
{
    error(failure.message);
    static const QSet<QString> kMachine{
        u"not_writable"_s, u"disk_full"_s,     u"engine_missing"_s,        u"mpirun_missing"_s,
        u"mpi_broken"_s,   u"engine_broken"_s, u"index_failed"_s,          u"scalebench_missing"_s,
        u"not_readable"_s, u"run_damaged"_s,   u"supervisor_not_started"_s};
    if (failure.code == "export_cancelled"_L1)
        return kCancelled;
    return kMachine.contains(failure.code) ? kFailed : kUsage;
}

/// Returns an exit code, after a message, only where it cannot be started.
static int become(const LaunchCommand& command)
{
    for (const QString& key : command.environment.keys())
        qputenv(key.toLatin1().constData(), command.environment.value(key).toLocal8Bit());
    QList<QByteArray> words{command.program.toLocal8Bit()};
    for (const QString& argument : command.arguments)
        words << argument.toLocal8Bit();
    std::vector<char*> pointers;
    for (QByteArray& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execvp(pointers[0], pointers.data());
    error(u"%1 could not be started: %2."_s.arg(command.program, qt_error_string(errno)));
    return kFailed;
}

int exitCodeOf(const QString& program, int code)
{
    if (code == kOk || code == kUsage || code == kFailed || code == kNotReached ||
        code == kCancelled)
        return code;
    error(code > 128 ? u"%1 was ended by signal %2."_s.arg(program).arg(code - 128)
                     : u"%1 ended with code %2: it could not be started, or it broke off. "
                       "\"scalebench doctor\" may tell why."_s.arg(program)
                           .arg(code));
    return kFailed;
}

int runProgram(const LaunchCommand& command, int stopSignal)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD})
        sigaddset(&awaited, signal);
    struct sigaction hangup {
    };
    if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler == SIG_IGN)
        sigdelset(&awaited, SIGHUP); // nohup
    ::sigprocmask(SIG_BLOCK, &awaited, nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setpgid(0, 0); // Ctrl+C comes once, from us: two of them make mpirun kill at once
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        ::dup2(nothing, STDIN_FILENO);
        ::sigprocmask(SIG_UNBLOCK, &awaited, nullptr);
        ::_exit(become(command));
    }
    if (child < 0) {
        error(u"%1 could not be started: %2."_s.arg(command.program, qt_error_string(errno)));
        return kFailed;
    }
    bool stopped = false;
    int status = 0;
    const timespec patience{5, 0};
    while (true) {
        const int signal = stopped ? ::sigtimedwait(&awaited, nullptr, &patience)
                                   : ::sigwaitinfo(&awaited, nullptr);
        if (signal == SIGCHLD && ::waitpid(child, &status, WNOHANG) == child)
            break;
        if (signal != SIGCHLD && (signal > 0 || stopped)) // once more, or nothing has come of it
            ::kill(child, std::exchange(stopped, true) ? SIGTERM : stopSignal);
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return stopped && code != kOk ? int(kCancelled) : exitCodeOf(command.program, code);
}

CommandParser::CommandParser(const QString& usage, const QString& description) : m_usage(usage)
{
    setApplicationDescription(description);
    addOption({{u"h"_s, u"help"_s}, u"Show this help."_s});
}

std::optional<int> CommandParser::parseArguments(const QStringList& arguments)
{
    if (!parse(QStringList(u"scalebench"_s) + arguments)) {
        error(errorText() + u" \"scalebench %1 --help\" lists what is possible."_s.arg(
                                m_usage.section(u' ', 0, 0)));
        return kUsage;
    }
    // Of a script's variable that is not set; elsewhere an empty value clears a field.
    static const QStringList kPaths{u"out"_s, u"library"_s, u"pictures"_s, u"rcp"_s,
                                    u"dir"_s, u"csv"_s,     u"bundle"_s};
    for (const QString& option : optionNames())
        if (kPaths.contains(option) && value(option).isEmpty()) {
            error(u"--%1 needs the name of a file or folder."_s.arg(option));
            return kUsage;
        }
    if (isSet(u"help"_s)) {
        QString text = helpText();
        text.remove(0, text.indexOf(u'\n') + 1);
        out(u"Usage: scalebench %1\n"_s.arg(m_usage) + text);
        return kOk;
    }
    return {};
}

void CommandParser::addLibraryOption()
{
    addOption({u"library"_s,
               u"Folder where runs are kept (default: %1)."_s.arg(Library::defaultDir()),
               u"DIR"_s});
}

void CommandParser::addJsonOption()
{
    addOption({u"json"_s, u"Print JSON."_s});
}

std::shared_ptr<Library> CommandParser::openLibrary(int* exitCode, Library::IfMissing missing) const
{
    // An empty folder becomes one; a name that is no folder is mistyped.
    const QString named = value(u"library"_s);
    const bool mistyped = !named.isEmpty() && !QFileInfo(named).isDir();
    const Result<std::shared_ptr<Library>> library =
        Library::open(named, mistyped ? missing : Library::IfMissing::Create);
    if (!library) {
        *exitCode = report(library.failure());
        return {};
    }
    return library.value();
}

} // namespace scalebench::cli
