// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/checkpoints.h"

#include "base/file_io.h"
#include "base/translated.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr quint64 kLongestHeader = 16 << 20;
static constexpr qsizetype kBeforeHeader = 16; ///< the name of the format and the header's length

QString latestCheckpoint()
{
    return u"checkpoint/latest.sbckpt"_s;
}

QString previousCheckpoint()
{
    return u"checkpoint/previous.sbckpt"_s;
}

QString incomingCheckpoint()
{
    return u"checkpoint/incoming.sbckpt"_s;
}

bool forgetCheckpoints(const QString& runDir)
{
    if (QFileInfo(runDir + u"/checkpoint"_s).isSymLink())
        return false; // what it points to is none of ours
    bool gone = true;
    for (const QString& name : {latestCheckpoint(), previousCheckpoint(), incomingCheckpoint()}) {
        const QString path = runDir + u'/' + name;
        gone = (!QFileInfo(path).exists() || QFile::remove(path)) && gone;
    }
    return gone;
}

static quint32 checksum(const QByteArray& bytes)
{
    return quint32(
        ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.constData()), size_t(bytes.size())));
}

QByteArray checkpointHeader(const QString& path)
{
    QFile file;
    if (!openOrdinaryFile(file, path))
        return {};
    const QByteArray begin = file.read(kBeforeHeader);
    if (begin.size() != kBeforeHeader || !begin.startsWith("SBCKPT1\n"))
        return {};
    const auto length = qFromLittleEndian<quint64>(begin.constData() + 8);
    if (length == 0 || length > kLongestHeader)
        return {};
    const QByteArray text = file.read(qint64(length)), crc = file.read(4);
    if (quint64(text.size()) != length || crc.size() != 4 ||
        qFromLittleEndian<quint32>(crc.constData()) != checksum(text))
        return {};
    return begin + text + crc;
}

std::optional<CheckpointHead> readCheckpointHead(const QString& path)
{
    static constexpr qint64 kMost = qint64(1) << 50;
    const QByteArray before = checkpointHeader(path);
    if (before.isEmpty())
        return {};
    const QJsonDocument header = QJsonDocument::fromJson(before.mid(kBeforeHeader).chopped(4));
    qint64 whole = before.size();
    for (const QJsonValue& array : header["arrays"_L1].toArray()) {
        const qint64 count = array["count"_L1].toInteger(-1);
        if (count < 0 || count > kMost)
            return {};
        whole = std::min(kMost, whole + count * 4);
    }
    CheckpointHead head;
    head.step = header["step"_L1].toInteger(-1);
    head.epochs = int(std::clamp<qint64>(header["epoch"_L1].toInteger(1) - 1, 0, 1'000'000'000));
    head.streamBytes = header["stream"_L1]["bytes"_L1].toInteger(-1);
    if (head.step < 0 || head.streamBytes < 0 || QFileInfo(path).size() < whole)
        return {};
    return head;
}

std::optional<CheckpointHead> newestCheckpoint(const QString& runDir)
{
    const auto latest = readCheckpointHead(runDir + u'/' + latestCheckpoint());
    return latest ? latest : readCheckpointHead(runDir + u'/' + previousCheckpoint());
}

QString streamToResume(const QString& runDir)
{
    const QString stream = runDir + u"/result_0.txt"_s;
    if (QFileInfo::exists(stream))
        return stream;
    QString last;
    for (int attempt = 1;; ++attempt) {
        const QString name = stream + u".attempt%1"_s.arg(attempt);
        if (!QFileInfo::exists(name))
            return last;
        last = name;
    }
}

/// On the disk before its name says so.
static bool synced(const QString& path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const bool done = fd >= 0 && ::fsync(fd) == 0;
    if (fd >= 0)
        ::close(fd);
    return done;
}

static bool renamed(const QString& from, const QString& to)
{
    return ::rename(QFile::encodeName(from).constData(), QFile::encodeName(to).constData()) == 0;
}

Installed installCheckpoint(const QString& runDir)
{
    const QString incoming = runDir + u'/' + incomingCheckpoint();
    const QString latest = runDir + u'/' + latestCheckpoint();
    const QString previous = runDir + u'/' + previousCheckpoint();
    const auto head = readCheckpointHead(incoming);
    const auto newest = readCheckpointHead(latest), older = readCheckpointHead(previous);
    const QString stream = streamToResume(runDir);
    const qint64 streamBytes = stream.isEmpty() ? 0 : QFileInfo(stream).size();
    const bool tooOld =
        head && newest && head->step < newest->step && older && head->step <= older->step;
    if (!head || head->streamBytes > streamBytes || tooOld) {
        QFile::remove(incoming);
        return Installed::NotNeeded;
    }
    bool kept = synced(incoming);
    if (!newest || head->step == newest->step)
        kept = kept && renamed(incoming, latest);
    else if (head->step > newest->step)
        kept = kept && renamed(latest, previous) && renamed(incoming, latest);
    else
        kept = kept && renamed(incoming, previous);
    if (!kept)
        QFile::remove(incoming);
    return kept ? Installed::Yes : Installed::Lost;
}

QString whatIsKept(const QString& runDir, qsizetype epochs)
{
    const auto head = newestCheckpoint(runDir);
    const bool one = epochs == 1;
    if (!head && epochs == 0)
        return Launcher::tr("0 complete epochs are kept");
    if (!head)
        return one ? Launcher::tr("1 complete epoch is kept, but no checkpoint: resumed, the run "
                                  "begins anew")
                   : Launcher::tr("%1 complete epochs are kept, but no checkpoint: resumed, the "
                                  "run begins anew")
                         .arg(epochs);
    return one ? Launcher::tr("1 complete epoch is kept; resumed, the run goes on after step %1 "
                              "(epoch %2)")
                     .arg(head->step)
                     .arg(head->epochs)
               : Launcher::tr("%1 complete epochs are kept; resumed, the run goes on after step "
                              "%2 (epoch %3)")
                     .arg(epochs)
                     .arg(head->step)
                     .arg(head->epochs);
}

} // namespace scalebench
