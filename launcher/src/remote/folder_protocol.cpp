// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/folder_protocol.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr qint64 kLongestHead = 64 << 20; // the "have" of a study of 10,000 runs
static constexpr qint64 kLongestPayload = 64 << 20;

FileMark markOf(const QString& path, qint64 bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
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

bool isSafePath(const QString& path)
{
    for (const QString& part : path.split(u'/'))
        if (part.isEmpty() || part == "."_L1 || part == ".."_L1)
            return false;
    for (const QChar c : path)
        if (c < u' ' || c.unicode() == 0x7f)
            return false;
    return !path.isEmpty();
}

bool isLiveName(const QString& name)
{
    return name == "result_0.txt"_L1 || name == "launcher.txt"_L1 || name == "system.json"_L1 ||
           (name.startsWith("stderr_"_L1) && name.endsWith(".txt"_L1)) ||
           name.startsWith("result_0.txt.attempt"_L1);
}

bool isServed(ServedFolder kind, const QString& name)
{
    if (kind == ServedFolder::Study)
        return true;
    // On a node: what the ranks wrote. The rest is the supervisor's.
    return (isLiveName(name) && name != "launcher.txt"_L1) || name.startsWith("checkpoint/"_L1);
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
