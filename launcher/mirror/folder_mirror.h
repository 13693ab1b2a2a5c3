// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeps a local copy of a folder on another host, through ssh, for as long as it lives: every byte
// exactly once, whatever happens to the connection (resources/protocol/remote_follow.md).

#include "base/file_io.h"
#include "machine/machines.h"
#include "mirror/folder_protocol.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QSet>
#include <QTimer>

#include <memory>

namespace scalebench {

struct MirrorSetup {
    ServedFolder kind = ServedFolder::Study;
    TargetMachine machine; ///< how to get there: ssh config, user, jump host; its `folder`
    QString host;
    QString remoteDir; ///< may begin with "~/"
    QString localDir;
    QStringList requeue; ///< runs to put back into the queue over there, with the first greeting
    bool upload = false; ///< the study may not be there yet: then it is sent
    bool giveUpAtFirst = false; ///< a first connection that fails is the end, not tried again
    qint64 mostBytes = qint64(1) << 40; ///< that are taken over: a host must not fill this disk
    int mostFiles = 1'000'000;
    qint64 leastFreeBytes = kBytesToLeaveFree; ///< left on this disk, whatever comes
    qint64 bytesToGoOn = kBytesToBegin;        ///< free again, after there were too few
};

class FolderMirror : public QObject
{
    Q_OBJECT
public:
    explicit FolderMirror(MirrorSetup setup, QObject* parent = nullptr);
    ~FolderMirror() override;

    void open();
    /// Ends the connection; what runs over there goes on.
    void close();
    bool isConnected() const { return m_connected; }
    /// False: something that was sent could not be kept, for want of space.
    bool isComplete() const { return m_complete && !m_noRoom; }
    /// Sent now, or as soon as there is a connection; repeated if one breaks before the answer.
    void request(const QJsonObject& command);
    /// Does not wait for the next try.
    void reconnectNow();

    /// The words that start `scalebench serve` on a host, for ssh.
    static QStringList serveCommand(const MirrorSetup& setup);

Q_SIGNALS:
    /// Greeted; `exists`: the study is there already.
    void connected(bool exists);
    /// Not connected. It is tried again (for the `tries`-th time) unless `final`.
    void disconnected(const scalebench::Failure& why, int tries, bool final);
    /// This disk is full: nothing more is copied until it has room again. Still connected, so what
    /// is asked for is done, and how the study stands is known.
    void noRoom(const scalebench::Failure& why);
    void stateReceived(const QJsonObject& state);
    void answered(const QJsonObject& answer); ///< "fetched", "error"
    void advanced();                          ///< something was written

private:
    struct Request {
        QJsonObject command;
        int number = 0; ///< among those sent over this connection, from 1
    };

    void start();
    void readOutput();
    bool take(const QJsonObject& head, const QByteArray& payload);
    bool write(const QJsonObject& head, const QByteArray& payload);
    bool append(const QString& full, qint64 offset, const QByteArray& payload);
    bool mayTake(const QString& path, qsizetype bytes);
    bool hasRoomForCheckpoint(const QString& full, qint64 offset, qsizetype bytes);
    QByteArray planFile(const QString& path) const;
    bool greet(const QJsonObject& head);
    void upload();
    void ended(const Failure& why);
    void drop(const Failure& why);
    void goOnWithRoom();
    QJsonObject whatWeHave() const;
    void transmit(const QByteArray& bytes);
    void transmit(Request& request);

    MirrorSetup m_setup;
    std::unique_ptr<QProcess> m_process;
    FrameReader m_reader;
    QByteArray m_errors;
    QTimer m_retry, m_watch, m_signOfLife;
    QElapsedTimer m_sinceByte, m_sinceNoRoom;
    QList<Request> m_requests; ///< not answered yet
    int m_sent = 0;            ///< over this connection
    int m_tries = 0;
    bool m_wanted = false;
    bool m_connected = false;
    bool m_everConnected = false;
    bool m_complete = true;
    bool m_noRoom = false;
    bool m_seenThere = false; ///< the study exists over there
    qint64 m_taken = 0;       ///< bytes
    QSet<QString> m_files;    ///< that something was written to
};

} // namespace scalebench
