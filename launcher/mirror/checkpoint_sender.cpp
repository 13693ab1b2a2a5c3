// SPDX-License-Identifier: GPL-3.0-or-later
#include "mirror/checkpoint_sender.h"

#include "base/file_io.h"
#include "run/checkpoints.h"

#include <algorithm>
#include <sys/stat.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// A thirtieth of a gigabit network, and little for the processor that encrypts it; a checkpoint of
/// ResNet-50 takes 50 s.
static constexpr qint64 kLiveBytesPerSecond = 4 << 20;
static constexpr qint64 kMostLiveBytes = 256 << 10; ///< at once: records come in between
static constexpr qint64 kChunk = 1 << 20;

CheckpointSender::CheckpointSender(QString runDir, QString prefix,
                                   const QHash<QString, FileMark>& have, Send send,
                                   std::function<bool()> sendStream)
    : m_dir(std::move(runDir)),
      m_prefix(std::move(prefix)),
      m_send(std::move(send)),
      m_sendStream(std::move(sendStream))
{
    for (const QString& name : {latestCheckpoint(), previousCheckpoint(), incomingCheckpoint()})
        if (const auto mark = have.constFind(m_prefix + name); mark != have.constEnd())
            m_have.insert(name, *mark);
}

std::optional<CheckpointSender::Identity> CheckpointSender::identityOf(const QString& name) const
{
    struct stat info {
    };
    const QByteArray path = QFile::encodeName(m_dir + u'/' + name);
    if (::lstat(path.constData(), &info) != 0 || !S_ISREG(info.st_mode))
        return {};
    return Identity{info.st_ino, info.st_size,
                    qint64(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec};
}

/// Not to be sent (again).
bool CheckpointSender::isKnown(const QString& name, const Identity& identity)
{
    if (m_done.contains(identity))
        return true;
    const QString path = m_dir + u'/' + name;
    bool known = !readCheckpointHead(path);
    for (const QString& here : {latestCheckpoint(), previousCheckpoint()}) {
        const FileMark have = m_have.value(here);
        known = known || (have.bytes == identity.bytes && !have.sha256.isEmpty() &&
                          markOfCheckpoint(path).sha256 == have.sha256);
    }
    if (known)
        m_done << identity;
    return known;
}

/// False where it cannot be read: then it is left out, the next one will come.
bool CheckpointSender::begin(const QString& name)
{
    m_file.close();
    const QString path = m_dir + u'/' + name;
    const auto before = identityOf(name);
    if (!before || !openOrdinaryFile(m_file, path))
        return false;
    if (identityOf(name) != before) { // exchanged just now
        m_file.close();
        return false;
    }
    m_sending = *before;
    // What arrived over the connection before this one, if it is the same file's.
    const FileMark part = m_have.take(incomingCheckpoint());
    const bool goesOn = part.bytes > 0 && part.bytes <= m_sending.bytes &&
                        markOfCheckpoint(path).sha256 == part.sha256;
    m_offset = goesOn ? part.bytes : 0;
    return true;
}

bool CheckpointSender::sendPart(qint64 bytes)
{
    const QString path = m_prefix + incomingCheckpoint();
    // The engine renames a checkpoint and never writes into it: what is open stays the same file.
    const bool readable = m_file.seek(m_offset);
    const QByteArray part =
        readable ? m_file.read(std::min(bytes, m_sending.bytes - m_offset)) : QByteArray();
    if (part.isEmpty() && m_offset < m_sending.bytes) {
        m_done << m_sending; // damaged disk
        m_file.close();
        return true;
    }
    if (!part.isEmpty() && !m_send({{u"is"_s, u"data"_s},
                                    {u"path"_s, path},
                                    {u"offset"_s, m_offset},
                                    {u"bytes"_s, part.size()}},
                                   part))
        return false;
    m_offset += part.size();
    if (m_offset < m_sending.bytes)
        return true;
    m_done << m_sending;
    m_file.close();
    return m_sendStream() && m_send({{u"is"_s, u"checkpoint"_s}, {u"path"_s, path}}, {});
}

bool CheckpointSender::sendSome()
{
    const qint64 sinceMs = m_clock.isValid() ? m_clock.restart() : (m_clock.start(), 0);
    if (!m_file.isOpen()) {
        const auto latest = identityOf(latestCheckpoint());
        if (!latest || isKnown(latestCheckpoint(), *latest) || !begin(latestCheckpoint()))
            return true;
    }
    // One that is on its way arrives before a newer one is begun: else none would where they are
    // written faster than they are sent.
    return sendPart(std::clamp<qint64>(sinceMs * kLiveBytesPerSecond / 1000, 1, kMostLiveBytes));
}

bool CheckpointSender::sendWhole(const QString& name)
{
    const auto identity = identityOf(name);
    if (!identity)
        return true;
    if (!(m_file.isOpen() && m_sending == *identity)) {
        if (isKnown(name, *identity) || !begin(name))
            return true;
    }
    while (m_file.isOpen())
        if (!sendPart(kChunk))
            return false;
    return true;
}

bool CheckpointSender::sendRest()
{
    // The older one first: the newer takes its place as `latest`.
    return sendWhole(previousCheckpoint()) && sendWhole(latestCheckpoint());
}

} // namespace scalebench
