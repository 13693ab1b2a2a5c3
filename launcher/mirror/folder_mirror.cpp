// SPDX-License-Identifier: GPL-3.0-or-later
#include "mirror/folder_mirror.h"

#include "base/file_io.h"
#include "base/host_names.h"
#include "base/shell_quote.h"
#include "base/translated.h"
#include "machine/this_computer.h"
#include "run/checkpoints.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "ssh/ssh.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kSilenceMs = 10'000; ///< signs of life come every 2 s
static constexpr int kGreetingMs = 20'000;
static constexpr int kLongestDelayMs = 10'000;

FolderMirror::FolderMirror(MirrorSetup setup, QObject* parent)
    : QObject(parent), m_setup(std::move(setup)), m_retry(this), m_watch(this), m_signOfLife(this)
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &FolderMirror::start);
    m_watch.setInterval(500);
    connect(&m_watch, &QTimer::timeout, this, [this] {
        goOnWithRoom();
        const int limit = m_connected ? kSilenceMs : kGreetingMs;
        if (m_process && m_sinceByte.elapsed() > limit)
            drop({u"host_timeout"_s, Launcher::tr("%1 has not answered for %2 s.")
                                         .arg(m_setup.host)
                                         .arg(m_sinceByte.elapsed() / 1000)});
    });
    m_signOfLife.setInterval(kSignOfLifeMs);
    connect(&m_signOfLife, &QTimer::timeout, this, [this] {
        transmit(frame({{u"do"_s, u"here"_s}}));
    });
}

FolderMirror::~FolderMirror()
{
    close();
}

void FolderMirror::open()
{
    m_wanted = true;
    start();
}

void FolderMirror::close()
{
    m_wanted = false;
    m_retry.stop();
    m_watch.stop();
    m_signOfLife.stop();
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->closeWriteChannel(); // the other end leaves by itself
    if (!m_process->waitForFinished(500)) {
        m_process->kill();
        m_process->waitForFinished(500);
    }
    m_process.reset();
    m_connected = false;
}

void FolderMirror::reconnectNow()
{
    if (m_wanted && !m_process)
        start();
}

QStringList FolderMirror::serveCommand(const MirrorSetup& setup)
{
    // "~" is for the remote shell to expand, hence the script; the words stay data. One line: a
    // login shell that is a csh takes no other.
    static const QString kScript =
        u"f=$1; case $f in \"~/\"*) f=$HOME/${f#\"~/\"};; esac; "
        "p=$f/engine/current/bin/scalebench; [ -x \"$p\" ] || p=$4; "
        "[ -x \"$p\" ] || { echo \"@scalebench-missing $f/engine/current\" >&2; exit 127; }; "
        "exec \"$p\" serve \"$2\" \"$3\""_s;
    const QString kind = setup.kind == ServedFolder::Study ? u"study"_s : u"run"_s;
    const QString own = isThisComputer(setup.host) ? findProgram(u"scalebench"_s) : QString();
    return {u"sh"_s, u"-c"_s, kScript, u"sh"_s, setup.machine.folder, kind, setup.remoteDir, own};
}

void FolderMirror::start()
{
    m_retry.stop();
    m_reader = {};
    m_errors.clear();
    // First, as it reads all files: neither side is silent meanwhile.
    QJsonObject hello{{u"do"_s, u"hello"_s},
                      {u"protocol"_s, kFolderProtocol},
                      {u"version"_s, QString::fromLatin1(SB_VERSION)},
                      {u"have"_s, whatWeHave()}};
    if (!m_everConnected && !m_setup.requeue.isEmpty())
        hello.insert(u"requeue"_s, QJsonArray::fromStringList(m_setup.requeue));
    m_process = std::make_unique<QProcess>();
    m_process->setChildProcessModifier([] {
        ::setsid(); // Ctrl-C in our terminal is not for ssh
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
    });
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &FolderMirror::readOutput);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, [this] {
        m_errors += m_process->readAllStandardError();
        m_errors = m_errors.right(8192);
    });
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError e) {
        if (e == QProcess::FailedToStart)
            ended({u"ssh_missing"_s,
                   Launcher::tr("ssh was not found on this computer. Install an OpenSSH "
                                "client (Debian, Ubuntu: apt install openssh-client).")});
    });
    connect(m_process.get(), &QProcess::finished, this, [this](int code) {
        readOutput();
        if (!m_process)
            return;
        m_errors += m_process->readAllStandardError();
        const QString text = QString::fromLocal8Bit(m_errors).trimmed();
        Failure why = classifySsh(m_setup.host, code, text);
        if (text.contains("@scalebench-missing"_L1))
            why = {
                u"engine_missing"_s,
                Launcher::tr("Scalebench is not installed on %1 (looked in %2). Install it there: "
                             "scalebench machines deploy %3.")
                    .arg(m_setup.host,
                         text.section(u"@scalebench-missing "_s, 1).section(u'\n', 0, 0),
                         shellQuoted(m_setup.machine.name)),
                text};
        else if (why.code.isEmpty())
            why = {u"serve_ended"_s,
                   Launcher::tr("The connection to %1 ended (exit code %2)%3")
                       .arg(m_setup.host)
                       .arg(code)
                       .arg(text.isEmpty() ? u"."_s : u": "_s + text.section(u'\n', -1)),
                   text};
        ended(why);
    });
    m_sinceByte.start();
    m_watch.start();
    const QStringList words = serveCommand(m_setup);
    if (isThisComputer(m_setup.host))
        m_process->start(words.first(), words.mid(1));
    else
        m_process->start(
            u"ssh"_s,
            sshArguments(m_setup.machine, m_setup.host, {.multiplexed = true, .keepAlive = true})
                << remoteCommand(words));
    transmit(frame(hello));
}

QJsonObject FolderMirror::whatWeHave() const
{
    QJsonObject have;
    for (const QString& file : filesBelow(m_setup.localDir)) {
        const bool mirrored = m_setup.kind == ServedFolder::Study
                                  ? keptBytes(ServedFolder::Study, file).has_value()
                                  : isServed(ServedFolder::Run, file);
        if (!mirrored || file.section(u'/', -1) == "status.json"_L1)
            continue;
        const QString path = m_setup.localDir + u'/' + file;
        const FileMark mark =
            isCheckpoint(file.section(u'/', -2)) ? markOfCheckpoint(path) : markOf(path);
        have.insert(file, QJsonArray{mark.bytes, QString::fromLatin1(mark.sha256)});
    }
    return have;
}

void FolderMirror::transmit(const QByteArray& bytes)
{
    if (m_process)
        m_process->write(bytes);
}

void FolderMirror::request(const QJsonObject& command)
{
    m_requests << Request{command};
    if (m_connected)
        transmit(m_requests.last());
}

void FolderMirror::transmit(Request& request)
{
    request.number = ++m_sent;
    transmit(frame(request.command));
}

void FolderMirror::readOutput()
{
    if (!m_process)
        return;
    const QByteArray bytes = m_process->readAllStandardOutput();
    if (bytes.isEmpty())
        return;
    m_sinceByte.restart();
    m_reader.feed(bytes);
    QJsonObject head;
    QByteArray payload;
    while (m_process && m_reader.next(head, payload))
        if (!take(head, payload))
            return;
    if (m_process && m_reader.damaged())
        drop(
            {u"protocol"_s,
             Launcher::tr(
                 "%1 sent something that Scalebench does not understand. Does a login script there "
                 "(.bashrc) print text? It must not when nobody is at a terminal.")
                 .arg(m_setup.host)});
}

bool FolderMirror::take(const QJsonObject& head, const QByteArray& payload)
{
    const QString what = head.value("is"_L1).toString();
    if (what == "hello"_L1)
        return greet(head);
    if (what == "data"_L1 || what == "whole"_L1 || what == "gone"_L1 || what == "checkpoint"_L1) {
        m_seenThere = true;
        if (m_noRoom)
            return true; // it comes again once there is room
        if (!write(head, payload))
            return m_noRoom;
        Q_EMIT advanced();
        return true;
    }
    if (what == "state"_L1) {
        // A state may have been on its way already when we asked: only what it says it heard
        // counts.
        const int heard = head.value("heard"_L1).toInt();
        m_requests.removeIf([&](const Request& request) {
            return request.command.value("do"_L1) != "fetch"_L1 && request.number <= heard;
        });
        Q_EMIT stateReceived(head);
        return true;
    }
    if (what == "fetched"_L1)
        m_requests.removeIf(
            [](const Request& r) { return r.command.value("do"_L1) == "fetch"_L1; });
    if (what == "fetched"_L1 || what == "error"_L1)
        Q_EMIT answered(head);
    return true;
}

bool FolderMirror::greet(const QJsonObject& head)
{
    const QString version = head.value("version"_L1).toString();
    if (head.value("protocol"_L1).toInt() != kFolderProtocol ||
        version != QLatin1StringView(SB_VERSION)) {
        m_wanted = false;
        drop({u"engine_version"_s,
              Launcher::tr(
                  "%1 has Scalebench %2, this computer has %3. Install the same version there: "
                  "scalebench machines deploy %4.")
                  .arg(m_setup.host, version, QString::fromLatin1(SB_VERSION),
                       shellQuoted(m_setup.machine.name))});
        return false;
    }
    const bool exists = head.value("exists"_L1).toBool();
    const bool isStudy = m_setup.kind == ServedFolder::Study;
    if (isStudy && !exists && (m_seenThere || !m_setup.upload)) {
        m_wanted = false;
        drop({u"study_lost"_s,
              Launcher::tr("The study is no longer on %1 (%2): somebody removed it there. What "
                           "was copied here is kept.")
                  .arg(m_setup.host, m_setup.remoteDir)});
        return false;
    }
    m_connected = m_everConnected = true;
    m_tries = 0;
    m_signOfLife.start();
    m_seenThere = m_seenThere || exists;
    if (isStudy && !exists)
        upload();
    m_sent = 0;
    for (Request& request : m_requests)
        transmit(request);
    Q_EMIT connected(exists);
    return m_process != nullptr;
}

/// Ends this connection from our side; a full disk is no fault of the other end.
void FolderMirror::drop(const Failure& why)
{
    if (!m_process)
        return;
    if (why.code == "disk_full"_L1) {
        m_noRoom = true;
        m_sinceNoRoom.start();
        Q_EMIT noRoom(why);
        return;
    }
    m_process->disconnect(this);
    m_process->kill();
    m_process->waitForFinished(500);
    ended(why);
}

/// Over a new connection, with which both sides compare what is here.
void FolderMirror::goOnWithRoom()
{
    if (!m_noRoom || !m_connected || m_sinceNoRoom.elapsed() < kLongestDelayMs)
        return;
    m_sinceNoRoom.start();
    const qint64 free = freeBytesAt(m_setup.localDir);
    if (free >= 0 && free < m_setup.bytesToGoOn)
        return;
    m_noRoom = false;
    close();
    open();
}

void FolderMirror::ended(const Failure& why)
{
    m_watch.stop();
    m_signOfLife.stop();
    m_connected = false;
    if (m_process)
        m_process.release()->deleteLater(); // may be the sender of the signal we are in
    const bool final = !m_wanted || (m_setup.giveUpAtFirst && !m_everConnected);
    if (final)
        m_wanted = false;
    else
        m_retry.start(std::min(kLongestDelayMs, 1000 << std::min(m_tries, 4)));
    ++m_tries;
    Q_EMIT disconnected(why, m_tries, final);
}

} // namespace scalebench
