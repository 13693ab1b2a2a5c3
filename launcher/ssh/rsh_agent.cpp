// SPDX-License-Identifier: GPL-3.0-or-later
// What mpirun calls to start its daemon on a host. ssh's own messages do not say which host they
// are about, and mpirun's often name a wrong one: here every line gets its host.
#include "ssh/rsh_agent.h"
#include "base/shell_quote.h"
#include "machine/study_machine.h"
#include "ssh/nodes.h"
#include "ssh/ssh.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr char kMachine[] = "SCALEBENCH_RSH_MACHINE";
static constexpr char kRun[] = "SCALEBENCH_RSH_RUN";
static constexpr char kDaemon[] = "SCALEBENCH_RSH_DAEMON";

static volatile sig_atomic_t s_child = 0;

QMap<QString, QString> rshEnvironment(const QString& machineFile, const QString& nodeDir,
                                      const QString& daemonPath)
{
    return {{QString::fromLatin1(kMachine), machineFile},
            {QString::fromLatin1(kRun), nodeDir},
            {QString::fromLatin1(kDaemon), daemonPath}};
}

/// Copies `from` to stderr, each line with the host in front.
static void copyLines(int from, const QByteArray& host)
{
    QByteArray line;
    char buffer[4096];
    while (true) {
        const ssize_t n = ::read(from, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        line.append(buffer, qsizetype(n));
        for (qsizetype end; (end = line.indexOf('\n')) >= 0; line.remove(0, end + 1)) {
            const QByteArray text = '[' + host + "] " + line.first(end).replace("\r", "") + '\n';
            if (::write(2, text.constData(), size_t(text.size())) < 0)
                return;
        }
    }
    if (!line.isEmpty())
        std::fprintf(stderr, "[%s] %s\n", host.constData(), line.constData());
}

/// A file in the run's folder named after the daemon's session folder, which stays where the daemon
/// is killed: finishNodes() then knows which to remove. Open MPI 4.1: the number in the folder's
/// name; 5.0: the job's name, of which there is a file in the folder.
static QString noteOfSession(const QStringList& arguments)
{
    static const QRegularExpression kJob(
        u"ess_base_(?:jobid\\s+\"?([0-9]{1,10})\\b|nspace\\s+\"?(prterun-[\\w.@-]{1,200}))"_s);
    const auto match = kJob.match(arguments.join(u' '));
    if (!match.hasMatch())
        return {};
    const QString name = match.hasCaptured(2)
                             ? match.captured(2)
                             : QString::number(match.captured(1).toULongLong() >> 16);
    return u": > "_s + shellQuoted(qEnvironmentVariable(kRun) + u"/.ompi-"_s + name) +
           u" 2>/dev/null; "_s;
}

QString withDaemon(const QString& command, const QString& quotedDaemon)
{
    static const QRegularExpression kWord(
        u"(?:^|(?<=[\\s;(]))"_s + QRegularExpression::escape(daemonPlaceholder()) + u"(?=\\s|$)"_s);
    QString whole;
    qsizetype end = 0;
    for (const QRegularExpressionMatch& match : kWord.globalMatch(command)) {
        whole += command.mid(end, match.capturedStart() - end) + quotedDaemon;
        end = match.capturedEnd();
    }
    return whole + command.mid(end);
}

int runRshAgent(const QStringList& given)
{
    QStringList arguments = given;
    const QString host = arguments.isEmpty() ? QString() : arguments.takeFirst();
    const Result<TargetMachine> machine =
        studyMachine(QFileInfo(qEnvironmentVariable(kMachine)).path());
    if (host.isEmpty() || !machine) {
        std::fprintf(stderr, "scalebench rsh: %s\n",
                     host.isEmpty() ? "no host given" : qPrintable(machine.failure().message));
        return 2;
    }
    // mpirun's words are for the remote shell already; only what we put in needs quoting.
    QString command = withDaemon(arguments.join(u' '), shellQuoted(qEnvironmentVariable(kDaemon)));
    // sh, whatever the login shell there is: mpirun writes for a POSIX shell. The daemon looks for
    // the agent too ("scalebench rsh"), and without it ends without a word.
    const QString bin = QFileInfo(qEnvironmentVariable(kDaemon)).path();
    command =
        remoteCommand({u"sh"_s, u"-c"_s,
                       noteOfSession(arguments) + u"SCALEBENCH_RUN="_s +
                           shellQuoted(qEnvironmentVariable(kRun)) + u"; PATH="_s +
                           shellQuoted(bin) + u":$PATH; export SCALEBENCH_RUN PATH; "_s + command});
    QList<QByteArray> words{"ssh"};
    for (const QString& word : sshArguments(machine.value(), host, {.keepAlive = true}))
        words << QFile::encodeName(word);
    words << command.toUtf8();
    QList<char*> argv;
    for (QByteArray& word : words)
        argv << word.data();
    argv << nullptr;

    int messages[2];
    if (::pipe(messages) != 0)
        return 2;
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        ::dup2(messages[1], 2);
        ::close(messages[0]);
        ::close(messages[1]);
        ::execvp("ssh", argv.data());
        std::fprintf(stderr, "ssh: %s\n", std::strerror(errno));
        ::_exit(127);
    }
    if (child < 0) { // as a number for kill() it would be every process
        std::fprintf(stderr, "scalebench rsh: %s\n", std::strerror(errno));
        return 2;
    }
    s_child = child;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::signal(signal, [](int s) { ::kill(pid_t(s_child), s); });
    ::close(messages[1]);
    copyLines(messages[0], host.toUtf8());
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code != 0)
        std::fprintf(stderr, "@rsh-exit %s %d\n", qPrintable(host), code);
    return code;
}

} // namespace scalebench
