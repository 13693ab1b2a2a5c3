// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The end that has a run's folder sends its checkpoints: a little at a time while the run goes on,
// the rest at once when asked (resources/protocol/remote_follow.md).

#include "mirror/folder_protocol.h"

#include <QElapsedTimer>
#include <QFile>

#include <functional>
#include <sys/types.h>

namespace scalebench {

class CheckpointSender
{
public:
    using Send = std::function<bool(const QJsonObject& head, const QByteArray& payload)>;

    /// `runDir` here; `prefix`: how names in it begin on the wire ("" or "runs/<id>/"). `have`:
    /// what the follower said it has, by those names. `send` is false where nobody hears any more.
    /// `sendStream`: the rest of the stream, into which a checkpoint points.
    CheckpointSender(QString runDir, QString prefix, const QHash<QString, FileMark>& have,
                     Send send, std::function<bool()> sendStream);

    /// What may go over now without disturbing the run.
    bool sendSome();
    /// Everything that the follower does not have.
    bool sendRest();

private:
    /// The very file: names change hands.
    struct Identity {
        ino_t inode = 0;
        qint64 bytes = 0, changedNs = 0;
        bool operator==(const Identity&) const = default;
    };

    std::optional<Identity> identityOf(const QString& name) const;
    bool isKnown(const QString& name, const Identity& identity);
    bool begin(const QString& name);
    bool sendPart(qint64 bytes);
    bool sendWhole(const QString& name);

    QString m_dir, m_prefix;
    QHash<QString, FileMark> m_have;
    Send m_send;
    std::function<bool()> m_sendStream;
    QList<Identity> m_done; ///< sent, or found to be there, or no whole checkpoints
    QFile m_file;           ///< on its way
    Identity m_sending;
    qint64 m_offset = 0;
    QElapsedTimer m_clock; ///< since the last part
};

} // namespace scalebench
