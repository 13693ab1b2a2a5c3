// SPDX-License-Identifier: GPL-3.0-or-later
// The end of resources/protocol/remote_follow.md that has the folder. Lives as long as its follower
// is heard: sshd notices a cut network only after many minutes. The runs are the supervisor's and
// do not notice.
#include "follow/folder_server.h"

#include "base/file_io.h"
#include "base/translated.h"
#include "follow/queue_keeper.h"
#include "mirror/checkpoint_sender.h"
#include "mirror/folder_protocol.h"
#include "run/own_studies.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "run/study_queue.h"
#include "supervise/requeue.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <memory>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPollMs = 50;
constexpr qint64 kChunk = 1 << 20;

class Server
{
public:
    Server(ServedFolder kind, QString dir)
        : m_kind(kind), m_dir(std::move(dir)), m_queue(m_dir, false)
    {
    }

    int run()
    {
        ::signal(SIGPIPE, SIG_IGN);
        ::signal(SIGHUP, SIG_DFL);
        m_sinceState.start();
        m_sinceHeard.start();
        while (true) {
            pollfd in{0, POLLIN, 0};
            ::poll(&in, 1, kPollMs);
            if (in.revents == 0 && m_sinceHeard.elapsed() > kFollowerGoneMs)
                return 0;
            if (in.revents != 0 && !readCommands())
                return m_reader.damaged() ? 2 : 0;
            if (m_greeted && !tick())
                return 1;
        }
    }

private:
    struct Sent {
        qint64 offset = 0;
        ino_t inode = 0;
    };

    // ---- Commands

    bool readCommands()
    {
        QByteArray bytes(1 << 16, Qt::Uninitialized);
        const ssize_t n = ::read(0, bytes.data(), size_t(bytes.size()));
        if (n < 0)
            return errno == EINTR || errno == EAGAIN;
        if (n == 0)
            return false;
        m_sinceHeard.restart();
        m_reader.feed(bytes.first(n));
        QJsonObject head;
        QByteArray payload;
        while (m_reader.next(head, payload))
            if (!obey(head, payload))
                return false;
        return !m_reader.damaged();
    }

    bool obey(const QJsonObject& head, const QByteArray& payload)
    {
        const QString what = head.value("do"_L1).toString();
        if (what == "hello"_L1)
            return greet(head);
        if (what == "put"_L1)
            return put(head.value("path"_L1).toString(), payload);
        if (what == "here"_L1)
            return true;
        ++m_heard;
        if (what == "fetch"_L1)
            return sendAll(u""_s) && send({{u"is"_s, u"fetched"_s}});
        if (m_kind != ServedFolder::Study)
            return true;
        if (what == "start"_L1) {
            withdrawStopAfterRun(m_dir);
            m_queue.unpause();
        } else if (what == "go_on"_L1) {
            m_queue.goOn();
        } else if (what == "stop"_L1) {
            m_queue.startQueued(); // what waits is then cancelled rather than left
            m_queue.stopNow();
        } else if (what == "stop_after_run"_L1) {
            m_queue.stopAfterRun();
        } else if (what == "pause"_L1) {
            m_queue.pause();
        } else if (what == "continue"_L1) {
            m_queue.unpause();
        }
        m_sinceState.invalidate(); // answer at once
        return true;
    }

    bool greet(const QJsonObject& head)
    {
        const bool exists = QFileInfo::exists(m_dir + u"/study.json"_s);
        const QJsonObject have = head.value("have"_L1).toObject();
        for (auto it = have.begin(); it != have.end(); ++it) {
            const QJsonArray mark = it.value().toArray();
            m_have.insert(it.key(), {mark.at(0).toInteger(), mark.at(1).toString().toLatin1()});
        }
        m_greeted = true;
        if (!send({{u"is"_s, u"hello"_s},
                   {u"protocol"_s, kFolderProtocol},
                   {u"version"_s, QString::fromLatin1(SB_VERSION)},
                   {u"exists"_s, exists}}))
            return false;
        if (!exists)
            return true;
        QStringList requeue;
        for (const QJsonValue& run : head.value("requeue"_L1).toArray())
            requeue << run.toString();
        if (!requeue.isEmpty()) // fails where they run or wait already, which is as good
            (void)requeueRuns(m_dir, requeue);
        for (const QString& path : m_have.keys())
            if (wasMovedAside(path))
                if (!send({{u"is"_s, u"gone"_s}, {u"path"_s, path}}))
                    return false;
        return true;
    }

    bool put(const QString& path, const QByteArray& bytes)
    {
        Failure failure;
        if (!isSafePath(path) || !isPlanFile(path))
            failure = {u"path_refused"_s,
                       Launcher::tr("\"%1\" is no path inside a study.").arg(path)};
        else if (QFileInfo::exists(m_dir + u"/study.json"_s))
            failure = {u"study_exists"_s, Launcher::tr("The study exists there already.")};
        else if (Result<void> made = makeFolder(QFileInfo(m_dir + u'/' + path).path()); !made)
            failure = made.failure();
        else if (const QString link = linkOnTheWay(m_dir, path); !link.isEmpty())
            failure = {u"path_refused"_s,
                       Launcher::tr("%1 is a link; nothing is written through it.").arg(link)};
        else if (Result<void> written = writeFileAtomically(
                     m_dir + u'/' + path, bytes,
                     path == "machine.json"_L1 ? Readers::OwnerOnly : Readers::Umask);
                 !written)
            failure = written.failure();
        else if (path != "study.json"_L1)
            return true;
        else if (Result<void> own = rememberOwnStudy(m_dir); !own) // whoever sent it planned it
            failure = own.failure();
        return failure.code.isEmpty() || sendError(failure);
    }

    // ---- Files

    bool tick()
    {
        if (m_kind == ServedFolder::Run) {
            // After the stream: a checkpoint goes on from a place in it.
            return sendLive(u""_s) && checkpoints(u""_s).sendSome() && sendState({}, 0);
        }
        if (!QFileInfo::exists(m_dir + u"/study.json"_s))
            return m_plan.isEmpty() &&
                   sendState({}, 0); // else it was removed: end, and say so anew
        if (m_plan.isEmpty())
            if (const Result<QStringList> plan = readPlan(m_dir); plan)
                m_plan = plan.value();
        QStringList open;
        int queued = 0;
        for (const QString& runId : m_plan) {
            if (m_finalSent.contains(runId))
                continue;
            // The state is read before the data, so a final state follows the last byte.
            const QString status = u"runs/%1/status.json"_s.arg(runId);
            const Result<QByteArray> bytes = readFileBelow(m_dir, status);
            // Of these very bytes: the file may be replaced meanwhile.
            const Result<RunStatus> parsed =
                bytes ? parseRunStatus(bytes.value(), status) : bytes.failure();
            const RunState state = parsed ? parsed.value().state : RunState::Queued;
            if (state == RunState::Queued)
                ++queued;
            const QString folder = u"runs/%1/"_s.arg(runId);
            if (isFinal(state) ? !sendAll(folder) : !sendLive(folder))
                return false;
            if (bytes && bytes.value() != m_whole.value(status)) {
                m_whole.insert(status, bytes.value());
                if (!send({{u"is"_s, u"whole"_s},
                           {u"path"_s, status},
                           {u"bytes"_s, bytes.value().size()}},
                          bytes.value()))
                    return false;
            }
            if (isFinal(state)) {
                m_finalSent << runId;
                m_checkpoints.erase(folder);
            } else {
                open << runId;
            }
        }
        if (!open.isEmpty())
            m_queue.tick(open);
        return sendGrowth(u"supervisor.log"_s) && sendState(open, queued);
    }

    /// A stream that made room for another attempt's, the only file that ever goes away. One that
    /// somebody removed stays in the copy.
    bool wasMovedAside(const QString& path) const
    {
        return path.endsWith("/result_0.txt"_L1) && !QFileInfo::exists(m_dir + u'/' + path) &&
               QFileInfo::exists(m_dir + u'/' + path + u".attempt1"_s);
    }

    bool sendLive(const QString& folder)
    {
        // Moved aside for another attempt: the copy must be gone before its status is sent, or the
        // old stream would be read as the new one's.
        for (const QString& path : m_sent.keys()) {
            if (!path.startsWith(folder) || !wasMovedAside(path))
                continue;
            m_sent.remove(path);
            if (!send({{u"is"_s, u"gone"_s}, {u"path"_s, path}}))
                return false;
        }
        const QDir dir(m_dir + u'/' + folder);
        for (const QString& name : dir.entryList(QDir::Files))
            if (isLiveName(name) && isServed(m_kind, name) && !sendGrowth(folder + name))
                return false;
        return true;
    }

    bool sendAll(const QString& folder)
    {
        for (const QString& name : filesBelow(m_dir + u'/' + folder))
            if (name != "status.json"_L1 && isServed(m_kind, name) &&
                !isCheckpoint(name.section(u'/', -2)) && !sendGrowth(folder + name))
                return false;
        return checkpoints(folder).sendRest();
    }

    CheckpointSender& checkpoints(const QString& folder)
    {
        auto& sender = m_checkpoints[folder];
        if (!sender)
            sender = std::make_unique<CheckpointSender>(
                m_dir + u'/' + folder, folder, m_have,
                [this](const QJsonObject& head, const QByteArray& payload) {
                    return send(head, payload);
                },
                [this, folder] { return sendGrowth(folder + u"result_0.txt"_s); });
        return *sender;
    }

    /// What the follower does not have of one file.
    bool sendGrowth(const QString& path)
    {
        struct stat info {
        };
        const QString full = m_dir + u'/' + path;
        if (::lstat(QFile::encodeName(full).constData(), &info) != 0 || !S_ISREG(info.st_mode))
            return true;
        auto known = m_sent.find(path);
        if (known == m_sent.end()) {
            Sent sent{0, info.st_ino};
            const bool isNew = !m_have.contains(path);
            const FileMark have = m_have.take(path);
            if (have.bytes > 0 && have.bytes <= info.st_size &&
                markOf(full, have.bytes).sha256 == have.sha256)
                sent.offset = have.bytes;
            else if (info.st_size == 0 && (isNew || have.bytes > 0) &&
                     !send({{u"is"_s, u"data"_s}, {u"path"_s, path}, {u"offset"_s, 0}}))
                return false;
            known = m_sent.insert(path, sent);
        }
        if (known->inode != info.st_ino || info.st_size < known->offset) {
            *known = {0, info.st_ino};
            if (info.st_size == 0)
                return send({{u"is"_s, u"data"_s}, {u"path"_s, path}, {u"offset"_s, 0}});
        }
        if (known->offset >= info.st_size)
            return true;
        QFile file;
        if (!openOrdinaryFile(file, full) || !file.seek(known->offset))
            return true;
        while (known->offset < info.st_size) {
            const QByteArray bytes = file.read(std::min(kChunk, info.st_size - known->offset));
            if (bytes.isEmpty())
                break;
            if (!send({{u"is"_s, u"data"_s},
                       {u"path"_s, path},
                       {u"offset"_s, known->offset},
                       {u"bytes"_s, bytes.size()}},
                      bytes))
                return false;
            known->offset += bytes.size();
        }
        return true;
    }

    // ---- Answers

    bool sendState(const QStringList& open, int queued)
    {
        const bool study = m_kind == ServedFolder::Study;
        const std::optional<qint64> holder = study ? lockHolder(m_dir) : std::nullopt;
        const QJsonObject state{
            {u"is"_s, u"state"_s},
            {u"heard"_s, m_heard},
            {u"supervisor"_s, holder.value_or(0)},
            {u"queued"_s, queued},
            {u"paused"_s, study && m_queue.isPaused()},
            {u"done"_s, study && !m_plan.isEmpty() && open.isEmpty() && !holder}};
        if (state == m_state && m_sinceState.isValid() && m_sinceState.elapsed() < kSignOfLifeMs)
            return true;
        m_state = state;
        m_sinceState.start();
        return send(state);
    }

    bool sendError(const Failure& failure)
    {
        return send(
            {{u"is"_s, u"error"_s}, {u"code"_s, failure.code}, {u"message"_s, failure.message}});
    }

    bool send(const QJsonObject& head, const QByteArray& payload = {})
    {
        const QByteArray bytes = frame(head, payload);
        qint64 done = 0;
        while (done < bytes.size()) {
            pollfd out{1, POLLOUT, 0};
            if (::poll(&out, 1, kFollowerGoneMs) <= 0)
                return false;
            const ssize_t n = ::write(1, bytes.constData() + done, size_t(bytes.size() - done));
            if (n < 0 && errno != EINTR && errno != EAGAIN)
                return false;
            done += std::max<ssize_t>(0, n);
        }
        return true;
    }

    ServedFolder m_kind;
    QString m_dir;
    QueueKeeper m_queue;
    FrameReader m_reader;
    bool m_greeted = false;
    int m_heard = 0; ///< commands after the greeting, so that the follower knows which arrived
    QHash<QString, FileMark> m_have;
    QHash<QString, Sent> m_sent;
    QHash<QString, QByteArray> m_whole;
    std::map<QString, std::unique_ptr<CheckpointSender>> m_checkpoints; ///< by a run's folder
    QStringList m_plan, m_finalSent;
    QJsonObject m_state;
    QElapsedTimer m_sinceState, m_sinceHeard;
};

} // namespace

int serveFolder(const QString& kind, const QString& dir)
{
    const QString path = dir.startsWith("~/"_L1) ? QDir::homePath() + dir.mid(1) : dir;
    return Server(kind == "run"_L1 ? ServedFolder::Run : ServedFolder::Study,
                  QFileInfo(path).absoluteFilePath())
        .run();
}

} // namespace scalebench
