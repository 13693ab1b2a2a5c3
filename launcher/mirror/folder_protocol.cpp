// SPDX-License-Identifier: GPL-3.0-or-later
#include "mirror/folder_protocol.h"

#include "base/checked_names.h"
#include "base/file_io.h"
#include "base/host_names.h"
#include "run/checkpoints.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr qint64 kLongestHead = 64 << 20; // the "have" of a study of 10,000 runs
static constexpr qint64 kLongestPayload = 64 << 20;

FileMark markOf(const QString& path, qint64 bytes)
{
    QFile file;
    if (!openOrdinaryFile(file, path))
        return {};
    FileMark mark;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    while (bytes < 0 || mark.bytes < bytes) {
        const QByteArray part =
            file.read(bytes < 0 ? 1 << 20 : std::min<qint64>(1 << 20, bytes - mark.bytes));
        if (part.isEmpty())
            break;
        hash.addData(part);
        mark.bytes += part.size();
    }
    if (bytes < 0 || mark.bytes == bytes)
        mark.sha256 = hash.result().toHex();
    return mark;
}

FileMark markOfCheckpoint(const QString& path)
{
    const QByteArray header = checkpointHeader(path);
    if (header.isEmpty())
        return {};
    return {QFileInfo(path).size(),
            QCryptographicHash::hash(header, QCryptographicHash::Sha256).toHex()};
}

bool isSafePath(const QString& path)
{
    const QStringList parts = path.split(u'/');
    for (const QString& part : parts)
        if (part.isEmpty() || part == "."_L1 || part == ".."_L1)
            return false;
    return !hasControlCharacters(path) && parts.size() <= 8 && path.toUtf8().size() <= 1000;
}

bool isLiveName(const QString& name)
{
    static const QRegularExpression kNumbered(
        u"^(?:stderr_[0-9]{1,7}\\.txt|result_0\\.txt\\.attempt[0-9]{1,6})$"_s);
    return name == "result_0.txt"_L1 || name == "launcher.txt"_L1 || name == "system.json"_L1 ||
           name == "pictures.json"_L1 || kNumbered.match(name).hasMatch();
}

bool isCheckpoint(const QString& name)
{
    return name == latestCheckpoint() || name == previousCheckpoint() ||
           name == incomingCheckpoint();
}

bool isServed(ServedFolder kind, const QString& name)
{
    if (kind == ServedFolder::Study)
        return true;
    // On a node: what the ranks wrote. The rest is the supervisor's.
    return (isLiveName(name) && name != "launcher.txt"_L1) || isCheckpoint(name);
}

std::optional<qint64> keptBytes(ServedFolder kind, const QString& path)
{
    constexpr qint64 kMiB = 1 << 20;
    if (kind == ServedFolder::Study && path == "supervisor.log"_L1)
        return 64 * kMiB;
    QString name = path;
    if (kind == ServedFolder::Study) {
        if (!path.startsWith("runs/"_L1) || !RunId::parse(path.section(u'/', 1, 1)))
            return {};
        name = path.section(u'/', 2);
    }
    if (name.startsWith("result_0.txt"_L1) && isLiveName(name))
        return kMostStreamBytes;
    if (name == "status.json"_L1 || name == "system.json"_L1 || name == "pictures.json"_L1)
        return kMostJsonBytes;
    if (isLiveName(name))
        return 256 * kMiB;
    if (isCheckpoint(name))
        return 65536 * kMiB;
    const bool ofSlurm = name == "job.sh"_L1 || name == "job_exit"_L1 || name == "hosts.txt"_L1;
    return ofSlurm ? std::optional<qint64>(16 * kMiB) : std::nullopt;
}

bool isPlanFile(const QString& path)
{
    if (path == "study.json"_L1 || path == "plan.json"_L1 || path == "machine.json"_L1)
        return true;
    const QString name = path.section(u'/', 2);
    return path.startsWith("runs/"_L1) && RunId::parse(path.section(u'/', 1, 1)) &&
           (name == "run.json"_L1 || name == "status.json"_L1);
}

QString linkOnTheWay(const QString& dir, const QString& path)
{
    for (qsizetype end = path.indexOf(u'/');; end = path.indexOf(u'/', end + 1)) {
        const QString part = dir + u'/' + path.first(end < 0 ? path.size() : end);
        if (QFileInfo(part).isSymLink())
            return part;
        if (end < 0)
            return {};
    }
}

QStringList filesBelow(const QString& dir)
{
    QStringList files;
    QDirIterator it(dir, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    const QDir base(dir);
    while (it.hasNext()) {
        const QString name = base.relativeFilePath(it.next());
        if (!name.contains(".tmp"_L1))
            files << name;
    }
    files.sort();
    return files;
}

QByteArray frame(const QJsonObject& head, const QByteArray& payload)
{
    return QJsonDocument(head).toJson(QJsonDocument::Compact) + '\n' + payload;
}

bool FrameReader::next(QJsonObject& head, QByteArray& payload)
{
    const qsizetype end = m_buffer.indexOf('\n');
    if (end < 0) {
        m_damaged = m_damaged || m_buffer.size() > kLongestHead;
        return false;
    }
    const QJsonDocument document = QJsonDocument::fromJson(m_buffer.first(end));
    const qint64 bytes = document["bytes"_L1].toInteger(0);
    if (!document.isObject() || bytes < 0 || bytes > kLongestPayload) {
        m_damaged = true;
        return false;
    }
    if (m_buffer.size() < end + 1 + bytes)
        return false;
    head = document.object();
    payload = m_buffer.mid(end + 1, bytes);
    m_buffer.remove(0, end + 1 + bytes);
    return true;
}

} // namespace scalebench
