// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/ssh.h"

#include "base/let_go.h"
#include "base/shell_quote.h"
#include "base/translated.h"

#include "base/file_io.h"

#include <QCryptographicHash>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSysInfo>
#include <QTimer>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr qsizetype kMostOutputBytes = 64 << 20;
static constexpr qsizetype kMostErrorBytes = 1 << 20;

QString sshControlFolder()
{
    // Short, because a socket's path may have 107 bytes, of which ssh uses 57 for the name.
    QString base = qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (base.isEmpty() || base.size() > 30 || !QFileInfo(base).isWritable())
        base = u"/tmp/scalebench-%1"_s.arg(::getuid());
    else
        base += u"/scalebench"_s;
    const QByteArray path = QFile::encodeName(base);
    ::mkdir(path.constData(), 0700);
    struct stat info {
    };
    const bool ours = ::lstat(path.constData(), &info) == 0 && S_ISDIR(info.st_mode) &&
                      info.st_uid == ::getuid() && (info.st_mode & 077) == 0;
    return ours ? base : QString(); // another user may have made it first
}

static QString loginMarker(const QString& folder, const TargetMachine& machine)
{
    const QByteArray hash =
        QCryptographicHash::hash(machine.name.toUtf8(), QCryptographicHash::Sha256).toHex();
    return folder + u"/login-"_s + QString::fromLatin1(hash.left(16));
}

Result<QStringList> loginHosts(const TargetMachine& machine)
{
    if (machine.isBehindLogin())
        return QStringList{machine.login};
    const Result<QList<HostSlots>> hosts = hostsOf(machine);
    if (!hosts)
        return hosts.failure();
    QStringList names;
    for (const HostSlots& host : hosts.value())
        names << host.name;
    return names;
}

Result<void> setSharedLogin(const TargetMachine& machine, bool on)
{
    const QString folder = sshControlFolder();
    if (folder.isEmpty())
        return Failure{
            u"no_runtime_folder"_s,
            Launcher::tr("There is no private folder for ssh's sockets: XDG_RUNTIME_DIR is not set "
                         "and /tmp/scalebench-%1 belongs to another user.")
                .arg(::getuid())};
    const QString marker = loginMarker(folder, machine);
    if (!on) {
        QFile::remove(marker);
        return {};
    }
    return writeFileAtomically(marker, {});
}

QStringList sharedLoginArguments(const TargetMachine& machine, const QString& host)
{
    QStringList words = sshArguments(machine, host, {.batch = false});
    const qsizetype at = words.indexOf(u"ControlMaster=no"_s);
    words[at] = u"ControlMaster=yes"_s;
    return QStringList{u"-N"_s, u"-f"_s, u"-o"_s, u"ControlPersist=yes"_s} + words;
}

QStringList sharedLogoutArguments(const TargetMachine& machine, const QString& host)
{
    const QString path = sshControlFolder() + u"/L%C"_s;
    QStringList words = sshArguments(machine, host);
    words.replaceInStrings(QRegularExpression(u"^ControlPath=.*"_s), u"ControlPath="_s + path);
    return QStringList{u"-q"_s, u"-O"_s, u"exit"_s} + words;
}

QStringList sshArguments(const TargetMachine& machine, const QString& host,
                         const SshOptions& options)
{
    QStringList words{u"-T"_s, u"-x"_s};
    const auto set = [&](const QString& setting) { words << u"-o"_s << setting; };
    if (!machine.sshConfig.isEmpty())
        words << u"-F"_s << machine.sshConfig;
    if (!machine.jumpHost.isEmpty())
        words << u"-J"_s << machine.jumpHost;
    if (!machine.user.isEmpty())
        words << u"-l"_s << machine.user;
    set(options.batch ? u"BatchMode=yes"_s : u"BatchMode=no"_s);
    // Never weaker than this: an unknown key is shown and asked for, a changed one refused.
    set(options.batch ? u"StrictHostKeyChecking=yes"_s : u"StrictHostKeyChecking=ask"_s);
    set(u"ConnectTimeout=%1"_s.arg(options.connectTimeoutS));
    if (options.keepAlive || options.multiplexed) {
        set(u"ServerAliveInterval=5"_s);
        set(u"ServerAliveCountMax=3"_s);
    }
    const QString folder = sshControlFolder();
    if (!folder.isEmpty() && QFileInfo::exists(loginMarker(folder, machine))) {
        set(u"ControlMaster=no"_s); // the connection that the user opened
        set(u"ControlPath=%1/L%C"_s.arg(folder));
    } else if (options.multiplexed && !folder.isEmpty()) {
        set(u"ControlMaster=auto"_s);
        set(u"ControlPath=%1/%C"_s.arg(folder));
        set(u"ControlPersist=30"_s);
    } else {
        set(u"ControlMaster=no"_s);
        set(u"ControlPath=none"_s);
    }
    words << u"--"_s << host;
    return words;
}

bool isThisComputer(const QString& host)
{
    const QString own = QSysInfo::machineHostName();
    return host == "localhost"_L1 || host == "127.0.0.1"_L1 || host == own ||
           host == own.section(u'.', 0, 0);
}

Failure classifySsh(const QString& host, int exitCode, const QString& text)
{
    struct Known {
        const char* text;
        const char* code;
        const char* message;
    };
    // In this order: a changed key also prints "Host key verification failed".
    static const Known kKnown[] = {
        {"REMOTE HOST IDENTIFICATION HAS CHANGED", "host_key_changed",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "The identity (host key) of %1 has changed since it was last used. Somebody may be in "
             "between: stop, and ask its administrator.")},
        {"Host key verification failed", "host_key_unknown",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "%1 is not known to ssh yet: its host key has to be looked at and accepted once "
             "(scalebench machines check NAME --trust).")},
        {"Could not resolve hostname", "host_not_found",
         QT_TRANSLATE_NOOP("Launcher", "%1 cannot be found: no such name in the ssh config, in "
                                       "/etc/hosts or in DNS. Check the "
                                       "spelling.")},
        {"Connection refused", "ssh_refused",
         QT_TRANSLATE_NOOP("Launcher", "%1 refuses ssh connections: no ssh server is running "
                                       "there, or a firewall rejects them.")},
        {"No route to host", "host_unreachable",
         QT_TRANSLATE_NOOP("Launcher",
                           "%1 does not answer: it is switched off or its network is cut.")},
        {"Network is unreachable", "host_unreachable",
         QT_TRANSLATE_NOOP("Launcher",
                           "%1 cannot be reached: this computer has no network that leads there.")},
        {"timed out", "host_timeout", // "Connection timed out", "Connection to H port P timed out"
         QT_TRANSLATE_NOOP(
             "Launcher",
             "%1 does not answer: it is switched off, or a firewall drops the connection.")},
        {"not responding", "host_timeout",
         QT_TRANSLATE_NOOP("Launcher", "The connection to %1 broke: it did not answer for 15 s.")},
        {"Permission denied (", "login_refused",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "%1 refuses the login. Add this user's public key to ~/.ssh/authorized_keys there "
             "(ssh-copy-id %1), load the key into the agent (ssh-add), or, "
             "where a password is asked for, log in once: scalebench machines login NAME.")},
        {"Too many authentication failures", "login_refused",
         QT_TRANSLATE_NOOP(
             "Launcher",
             "%1 refuses the login: too many keys were tried. Name the right one in the ssh config "
             "(IdentityFile, IdentitiesOnly).")},
        {"closed by remote host", "host_timeout",
         QT_TRANSLATE_NOOP("Launcher", "%1 closed the connection.")},
        {"Broken pipe", "host_timeout",
         QT_TRANSLATE_NOOP("Launcher",
                           "The connection to %1 broke: it went down or its network failed.")},
        {"Connection reset", "host_timeout",
         QT_TRANSLATE_NOOP("Launcher", "%1 cut the connection.")},
        {"Connection closed by", "host_timeout",
         QT_TRANSLATE_NOOP("Launcher", "%1 closed the connection while logging in.")},
    };
    if (exitCode != 255)
        return {};
    for (const Known& known : kKnown)
        if (text.contains(QLatin1StringView(known.text)))
            return {QString::fromLatin1(known.code), Launcher::tr(known.message).arg(host),
                    text.trimmed()};
    const QString last = text.trimmed().section(u'\n', -1);
    return {u"ssh_failed"_s,
            Launcher::tr("ssh could not connect to %1%2")
                .arg(host, last.isEmpty() ? u"."_s : u": "_s + last),
            text.trimmed()};
}

RemoteCall::RemoteCall(const TargetMachine& machine, const QString& host, QObject* parent)
    : QObject(parent), m_machine(machine), m_host(host)
{
}

RemoteCall::~RemoteCall()
{
    letGo(std::move(m_process));
}

void RemoteCall::start(const QStringList& words, const QByteArray& input, int timeoutMs)
{
    m_process = std::make_unique<QProcess>();
    // A session of its own: Ctrl-C in our terminal is not for ssh, nor may ssh ask questions there.
    m_process->setChildProcessModifier([] {
        ::setsid();
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
    });
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &RemoteCall::takeOutput);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &RemoteCall::takeOutput);
    connect(m_process.get(), &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        finish(how == QProcess::NormalExit ? code : 255);
    });
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_result.failure = {
            u"ssh_missing"_s,
            Launcher::tr("ssh was not found on this computer. Install an OpenSSH client "
                         "(Debian, Ubuntu: apt install openssh-client).")};
        m_finished = true;
        Q_EMIT done();
    });
    QTimer::singleShot(timeoutMs, this, [this] {
        if (m_finished)
            return;
        m_result.timedOut = true;
        m_process->kill();
    });
    m_started.start();
    if (isThisComputer(m_host)) {
        m_process->start(words.first(), words.mid(1));
    } else {
        m_process->start(u"ssh"_s, sshArguments(m_machine, m_host, m_options)
                                       << remoteCommand(words));
    }
    m_process->write(input);
    m_process->closeWriteChannel();
}

/// As it comes, so that a host that never ends sending cannot fill the memory.
void RemoteCall::takeOutput()
{
    m_result.output += m_process->readAllStandardOutput();
    m_errors += m_process->readAllStandardError();
    m_errors.truncate(kMostErrorBytes);
    if (m_result.output.size() <= kMostOutputBytes || m_tooMuch)
        return;
    m_tooMuch = true;
    m_process->kill();
}

void RemoteCall::finish(int exitCode)
{
    if (m_finished)
        return;
    takeOutput();
    m_finished = true;
    m_result.started = true;
    m_result.exitCode = exitCode;
    m_result.errors = QString::fromLocal8Bit(m_errors);
    m_result.seconds = double(m_started.elapsed()) / 1000;
    if (m_tooMuch)
        m_result.failure = {
            u"host_output"_s,
            Launcher::tr(
                "%1 sent more than %2 MiB where some lines were expected; the connection was cut.")
                .arg(m_host)
                .arg(kMostOutputBytes >> 20)};
    else if (m_result.timedOut)
        m_result.failure = {u"host_timeout"_s,
                            Launcher::tr("%1 did not answer within %2 s.")
                                .arg(m_host)
                                .arg(qRound(m_result.seconds)),
                            m_result.errors.trimmed()};
    else if (exitCode != 0)
        m_result.failure = classifySsh(m_host, exitCode, m_result.errors);
    if (exitCode != 0 && m_result.failure.code.isEmpty())
        m_result.failure = {u"remote_failed"_s,
                            Launcher::tr("A command on %1 failed (exit code %2): %3")
                                .arg(m_host)
                                .arg(exitCode)
                                .arg(m_result.errors.trimmed().section(u'\n', -1)),
                            m_result.errors.trimmed()};
    Q_EMIT done();
}

QList<RemoteResult> RemoteCall::onAll(const TargetMachine& machine, const QStringList& hosts,
                                      const QStringList& words,
                                      const std::function<QByteArray(int)>& input, int timeoutMs,
                                      const SshOptions& options, int parallel)
{
    QList<RemoteResult> results(hosts.size());
    std::vector<std::unique_ptr<RemoteCall>> calls(size_t(hosts.size()));
    QEventLoop loop;
    int next = 0, finished = 0;
    std::function<void()> startNext = [&] {
        const int i = next++;
        auto& call = calls[size_t(i)];
        call = std::make_unique<RemoteCall>(machine, hosts[i]);
        call->setOptions(options);
        QObject::connect(
            call.get(), &RemoteCall::done, &loop,
            [&, i] {
                results[i] = calls[size_t(i)]->result();
                ++finished;
                if (next < hosts.size())
                    startNext();
                else if (finished == hosts.size())
                    loop.quit();
            },
            Qt::QueuedConnection);
        call->start(words, input ? input(i) : QByteArray(), timeoutMs);
    };
    while (next < hosts.size() && next < parallel)
        startNext();
    if (!hosts.isEmpty())
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    return results;
}

RemoteResult RemoteCall::on(const TargetMachine& machine, const QString& host,
                            const QStringList& words, const QByteArray& input, int timeoutMs,
                            const SshOptions& options)
{
    return onAll(
               machine, {host}, words, [&](int) { return input; }, timeoutMs, options)
        .first();
}

} // namespace scalebench
