// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_io.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStringList>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static QString errorText(int error)
{
    return QString::fromLocal8Bit(::strerror(error));
}

Failure writeFailure(const QString& path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        return {
            u"disk_full"_s,
            u"%1 could not be written: the disk is full%2. Free some space or choose another folder."_s
                .arg(path, error == EDQUOT ? u" (quota)"_s : QString())};
    if (error == EROFS)
        return {
            u"not_writable"_s,
            u"%1 could not be written: the file system is read-only. Choose another folder."_s.arg(
                path)};
    return {u"not_writable"_s,
            u"%1 could not be written: %2. Choose another folder or change its rights."_s.arg(
                path, errorText(error))};
}

Result<QByteArray> readFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        if (!QFileInfo::exists(path))
            return Failure{u"not_found"_s, u"%1 does not exist."_s.arg(path)};
        return Failure{u"not_readable"_s,
                       u"%1 could not be read: %2."_s.arg(path, file.errorString())};
    }
    return file.readAll();
}

Result<void> writeFileAtomically(const QString& path, const QByteArray& bytes)
{
    const QByteArray target = QFile::encodeName(path);
    const QByteArray temporary = target + ".tmp" + QByteArray::number(qint64(::getpid()));
    const int fd = ::open(temporary.constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return writeFailure(path, errno);
    int error = 0;
    for (qsizetype done = 0; done < bytes.size() && error == 0;) {
        const ssize_t n = ::write(fd, bytes.constData() + done, size_t(bytes.size() - done));
        if (n >= 0)
            done += n;
        else if (errno != EINTR)
            error = errno;
    }
    if (::close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && ::rename(temporary.constData(), target.constData()) != 0)
        error = errno;
    if (error != 0) {
        ::unlink(temporary.constData());
        return writeFailure(path, error);
    }
    return {};
}

Result<void> writeJsonAtomically(const QString& path, const QJsonObject& object)
{
    return writeFileAtomically(path, QJsonDocument(object).toJson());
}

Result<void> makeFolder(const QString& path)
{
    const QFileInfo info(path);
    if (info.isDir())
        return {};
    if (info.exists())
        return Failure{u"not_writable"_s,
                       u"%1 is a file, not a folder. Choose another folder."_s.arg(path)};
    const QString parent = info.absolutePath();
    if (parent != path)
        if (Result<void> made = makeFolder(parent); !made)
            return made;
    if (::mkdir(QFile::encodeName(path).constData(), 0777) != 0 && errno != EEXIST)
        return writeFailure(path, errno);
    return {};
}

QString tailOfFile(const QString& path, int maxLines, qint64 maxBytes)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    if (file.size() > maxBytes)
        file.seek(file.size() - maxBytes);
    QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n');
    while (!lines.isEmpty() && lines.last().trimmed().isEmpty())
        lines.removeLast();
    if (lines.size() > maxLines)
        lines = lines.mid(lines.size() - maxLines);
    return lines.join(u'\n');
}

qint64 freeBytesAt(const QString& path)
{
    struct statvfs volume {
    };
    if (::statvfs(QFile::encodeName(path).constData(), &volume) != 0)
        return -1;
    return qint64(volume.f_bavail) * qint64(volume.f_frsize);
}

} // namespace scalebench
