// SPDX-License-Identifier: GPL-3.0-or-later
// Looking at a host's key without trusting it, and trusting it once a person has agreed.
#include "preflight/host_keys.h"

#include "base/asked_program.h"
#include "base/file_io.h"
#include "base/translated.h"
#include "ssh/ssh.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kHereMs = 5000; ///< what asks no host

/// The words of `ssh` with settings that win over those of sshArguments(), which come later.
QStringList withSettings(const QStringList& settings, const TargetMachine& machine,
                         const QString& host, int timeoutS)
{
    QStringList words;
    for (const QString& setting : settings)
        words << u"-o"_s << setting;
    SshOptions options;
    options.connectTimeoutS = timeoutS;
    return words + sshArguments(machine, host, options) << u"true"_s;
}

/// Where ssh keeps the keys that the user accepted for this host.
QString knownHostsFile(const TargetMachine& machine, const QString& host)
{
    QStringList words = sshArguments(machine, host);
    words.prepend(u"-G"_s);
    const ProgramAnswer output = askProgram(u"ssh"_s, words, kHereMs);
    for (const QByteArray& line : output.out.split('\n')) {
        if (!line.startsWith("userknownhostsfile "))
            continue;
        QString file = QString::fromLocal8Bit(line.mid(19)).trimmed().section(u' ', 0, 0);
        if (file.startsWith("~/"_L1))
            file = QDir::homePath() + file.mid(1);
        return file.replace(u"%d"_s, QDir::homePath());
    }
    return {};
}

} // namespace

Result<HostKey> fetchHostKey(const TargetMachine& machine, const QString& host, int timeoutS)
{
    if (Result<void> ok = machine.check(); !ok)
        return ok.failure();
    // No authentication: the connection ends after the key exchange.
    const QString noLogin = u"PreferredAuthentications=none"_s;
    const int timeoutMs = 1000 * (timeoutS + 2);
    const ProgramAnswer known =
        askProgram(u"ssh"_s, withSettings({noLogin}, machine, host, timeoutS), timeoutMs);
    const QString said = QString::fromLocal8Bit(known.err);
    if (known.timedOut)
        return Failure{u"host_timeout"_s,
                       Launcher::tr("%1 did not answer within %2 s.").arg(host).arg(timeoutS)};
    const Failure state = classifySsh(host, known.exitCode, said);
    if (known.exitCode == 0 || state.code == "login_refused"_L1)
        return Failure{u"host_key_known"_s,
                       Launcher::tr("The host key of %1 is known already.").arg(host)};
    if (state.code != "host_key_unknown"_L1)
        return state.code.isEmpty()
                   ? Failure{u"ssh_failed"_s,
                             Launcher::tr("ssh could not connect to %1.").arg(host), said}
                   : state;
    HostKey key;
    key.host = host;
    key.knownHostsFile = knownHostsFile(machine, host);
    if (key.knownHostsFile.isEmpty() || key.knownHostsFile == "none"_L1 ||
        key.knownHostsFile == "/dev/null"_L1)
        return Failure{
            u"known_hosts_none"_s,
            Launcher::tr(
                "The ssh config keeps no known hosts for %1 (UserKnownHostsFile), so its key "
                "cannot be accepted.")
                .arg(host)};
    // ssh writes the key into an empty list of our own; nothing is sent over this connection.
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"known"_s);
    const ProgramAnswer fetched = askProgram(
        u"ssh"_s,
        withSettings({u"UserKnownHostsFile=%1"_s.arg(file), u"GlobalKnownHostsFile=/dev/null"_s,
                      u"StrictHostKeyChecking=accept-new"_s, u"UpdateHostKeys=no"_s, noLogin},
                     machine, host, timeoutS),
        timeoutMs);
    const Result<QByteArray> line = readFile(file);
    if (!line || line.value().trimmed().isEmpty())
        return Failure{u"ssh_failed"_s, Launcher::tr("%1 did not show its host key.").arg(host),
                       QString::fromLocal8Bit(fetched.err)};
    key.knownHostsLine = line.value().trimmed() + '\n';
    const ProgramAnswer shown = askProgram(u"ssh-keygen"_s, {u"-l"_s, u"-f"_s, file}, kHereMs);
    const QStringList words =
        QString::fromLocal8Bit(shown.out).section(u'\n', 0, 0).split(u' ', Qt::SkipEmptyParts);
    key.fingerprint = words.value(1);
    key.type = words.value(words.size() - 1).remove(u'(').remove(u')');
    if (!key.fingerprint.startsWith("SHA256:"_L1))
        return Failure{u"ssh_failed"_s,
                       Launcher::tr("The fingerprint of %1's key could not be computed.").arg(host),
                       QString::fromLocal8Bit(shown.err)};
    return key;
}

Result<void> trustHostKey(const HostKey& key)
{
    const QString folder = QFileInfo(key.knownHostsFile).absolutePath();
    const bool isNew = !QFileInfo::exists(folder);
    if (Result<void> made = makeFolder(folder); !made)
        return made;
    if (isNew)
        ::chmod(QFile::encodeName(folder).constData(), 0700);
    const int fd = ::open(QFile::encodeName(key.knownHostsFile).constData(),
                          O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return writeFailure(key.knownHostsFile, errno);
    QFile file;
    if (!file.open(fd, QIODevice::ReadWrite | QIODevice::Unbuffered,
                   QFileDevice::AutoCloseHandle)) {
        ::close(fd);
        return writeFailure(key.knownHostsFile, EIO);
    }
    file.seek(0);
    const QByteArray before = file.readAll();
    if (before.split('\n').contains(key.knownHostsLine.trimmed()))
        return {};
    // A last line without an end would swallow ours.
    const QByteArray text =
        (before.isEmpty() || before.endsWith('\n') ? QByteArray() : QByteArray("\n")) +
        key.knownHostsLine;
    if (file.write(text) != text.size())
        return writeFailure(key.knownHostsFile, errno);
    return {};
}

} // namespace scalebench
