// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file_io.h"

#include "base/translated.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStorageInfo>
#include <QStringList>

#include <atomic>
#include <cerrno>
#include <clocale>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// The common ones, as the C library says them where nobody set another language.
[[maybe_unused]] static const char* const kSystemTexts[] = {
    QT_TRANSLATE_NOOP("Launcher", "Permission denied"),
    QT_TRANSLATE_NOOP("Launcher", "Operation not permitted"),
    QT_TRANSLATE_NOOP("Launcher", "No such file or directory"),
    QT_TRANSLATE_NOOP("Launcher", "Is a directory"),
    QT_TRANSLATE_NOOP("Launcher", "Not a directory"),
    QT_TRANSLATE_NOOP("Launcher", "File exists"),
    QT_TRANSLATE_NOOP("Launcher", "File name too long"),
    QT_TRANSLATE_NOOP("Launcher", "Too many levels of symbolic links"),
    QT_TRANSLATE_NOOP("Launcher", "Too many open files"),
    QT_TRANSLATE_NOOP("Launcher", "No space left on device"),
    QT_TRANSLATE_NOOP("Launcher", "Disk quota exceeded"),
    QT_TRANSLATE_NOOP("Launcher", "Read-only file system"),
    QT_TRANSLATE_NOOP("Launcher", "Input/output error"),
    QT_TRANSLATE_NOOP("Launcher", "Stale file handle"),
    QT_TRANSLATE_NOOP("Launcher", "Device or resource busy"),
    QT_TRANSLATE_NOOP("Launcher", "Exec format error"),
    QT_TRANSLATE_NOOP("Launcher", "Cannot allocate memory"),
    QT_TRANSLATE_NOOP("Launcher", "Resource temporarily unavailable")};

void keepSystemTextsEnglish()
{
    std::setlocale(LC_MESSAGES, "C");
}

QString systemText(const QString& english)
{
    const qsizetype said = english.lastIndexOf(u": "_s); // "execvp: Permission denied"
    const qsizetype at = said < 0 ? 0 : said + 2;
    return english.left(at) +
           QCoreApplication::translate("Launcher", english.mid(at).toUtf8().constData());
}

static QString errorText(int error)
{
    return systemText(QString::fromLocal8Bit(::strerror(error)));
}

Failure writeFailure(const QString& path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        return {u"disk_full"_s, Launcher::tr("%1 could not be written: the disk is full%2. Free "
                                             "some space or choose another folder.")
                                    .arg(path, error == EDQUOT ? u" (quota)"_s : QString())};
    if (error == EROFS)
        return {u"not_writable"_s,
                Launcher::tr(
                    "%1 could not be written: the file system is read-only. Choose another folder.")
                    .arg(path)};
    return {u"not_writable"_s,
            Launcher::tr("%1 could not be written: %2. Choose another folder or change its rights.")
                .arg(path, errorText(error))};
}

/// Never waits: O_NONBLOCK opens a FIFO at once, and what is no ordinary file is closed again.
static int openForReading(int folder, const QByteArray& name, bool followLast)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followLast ? 0 : O_NOFOLLOW);
    const int fd = ::openat(folder, name.constData(), flags);
    if (fd < 0)
        return -1;
    struct stat info {
    };
    if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        return fd;
    ::close(fd);
    errno = EISDIR; // stands for "no ordinary file"
    return -1;
}

static Failure readFailure(const QString& path, int error)
{
    if (error == ENOENT || error == ENOTDIR)
        return {u"not_found"_s, Launcher::tr("%1 does not exist.").arg(path)};
    if (error == ELOOP)
        return {
            u"link_refused"_s,
            Launcher::tr(
                "%1 is a link; in a folder of results only ordinary files are read. Put the file "
                "itself there.")
                .arg(path)};
    if (error == EISDIR || error == ENXIO)
        return {
            u"not_a_file"_s,
            Launcher::tr("%1 is no ordinary file (a folder, a pipe or a device); it is not read.")
                .arg(path)};
    return {u"not_readable"_s,
            Launcher::tr("%1 could not be read: %2.").arg(path, errorText(error))};
}

/// Reads and closes `fd`.
static Result<QByteArray> readAll(int fd, const QString& path, qint64 mostBytes)
{
    QByteArray bytes;
    QByteArray part(1 << 16, Qt::Uninitialized);
    int error = 0;
    while (bytes.size() <= mostBytes) {
        const ssize_t n = ::read(fd, part.data(), size_t(part.size()));
        if (n == 0)
            break;
        if (n > 0)
            bytes.append(part.constData(), n);
        else if (errno != EINTR) {
            error = errno;
            break;
        }
    }
    ::close(fd);
    if (error != 0)
        return readFailure(path, error);
    if (bytes.size() > mostBytes)
        return Failure{u"file_too_large"_s,
                       Launcher::tr("%1 has more than %2 MiB; such a file is not read whole.")
                           .arg(path)
                           .arg(mostBytes >> 20)};
    return bytes;
}

Result<QByteArray> readFile(const QString& path, qint64 mostBytes)
{
    const int fd = openForReading(AT_FDCWD, QFile::encodeName(path), true);
    return fd < 0 ? Result<QByteArray>(readFailure(path, errno)) : readAll(fd, path, mostBytes);
}

Result<QByteArray> readFileBelow(const QString& folder, const QString& name, qint64 mostBytes)
{
    const QString path = folder + u'/' + name;
    QList<QByteArray> parts = QFile::encodeName(name).split('/');
    const QByteArray last = parts.takeLast();
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    int fd = ::open(QFile::encodeName(folder).constData(), flags);
    for (const QByteArray& part : parts) {
        if (fd < 0)
            break;
        // With O_DIRECTORY a link is ENOTDIR as an ordinary file is: only the link is worth a word.
        const int below = ::openat(fd, part.constData(), flags | O_NOFOLLOW);
        int error = errno;
        struct stat info {
        };
        if (below < 0 && ::fstatat(fd, part.constData(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISLNK(info.st_mode))
            error = ELOOP;
        ::close(fd);
        fd = below;
        errno = error;
    }
    if (fd < 0)
        return readFailure(path, errno);
    const int file = openForReading(fd, last, false);
    const int error = errno;
    ::close(fd);
    return file < 0 ? Result<QByteArray>(readFailure(path, error)) : readAll(file, path, mostBytes);
}

bool openOrdinaryFile(QFile& file, const QString& path)
{
    const int fd = openForReading(AT_FDCWD, QFile::encodeName(path), false);
    return fd >= 0 &&
           file.open(fd, QIODevice::ReadOnly | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle);
}

/// A name that nobody else has. O_EXCL follows no link that somebody put there.
static int createBeside(const QByteArray& target, mode_t mode, QByteArray& temporary)
{
    static std::atomic<unsigned> counter = 0;
    for (int tries = 0; tries < 100; ++tries) {
        temporary = target + ".tmp" + QByteArray::number(qint64(::getpid())) + '-' +
                    QByteArray::number(counter++);
        const int fd = ::open(temporary.constData(),
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

Result<void> appendLine(const QString& path, const QString& line)
{
    const int flags =
        O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const int fd = ::open(QFile::encodeName(path).constData(), flags, 0666);
    struct stat info {
    };
    if (fd < 0 && (errno == ELOOP || errno == ENXIO || errno == EISDIR))
        return readFailure(path, errno);
    if (fd < 0)
        return writeFailure(path, errno);
    const QByteArray bytes = line.toUtf8() + '\n';
    int error = 0;
    if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        error = EISDIR; // stands for "no ordinary file"
    else if (::write(fd, bytes.constData(), size_t(bytes.size())) != bytes.size())
        error = ENOSPC;
    ::close(fd);
    if (error == EISDIR)
        return readFailure(path, error);
    return error == 0 ? Result<void>() : writeFailure(path, error);
}

Result<void> writeFileAtomically(const QString& path, const QByteArray& bytes, Readers readers)
{
    const QByteArray target = QFile::encodeName(path);
    struct stat there {
    };
    const bool replaces = ::lstat(target.constData(), &there) == 0;
    if (replaces && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode))
        return Failure{
            u"not_a_file"_s,
            Launcher::tr("%1 is no ordinary file (a folder, a pipe or a device); it is not "
                         "written to. Choose another name.")
                .arg(path)};
    QByteArray temporary;
    const int fd = createBeside(target, readers == Readers::OwnerOnly ? 0600 : 0666, temporary);
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
    if (replaces && S_ISREG(there.st_mode) && readers == Readers::Umask && error == 0 &&
        ::fchmod(fd, there.st_mode & 0777) != 0)
        error = errno;
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

QString behindLink(const QString& path)
{
    const QFileInfo info(path);
    const QString target = info.isSymLink() ? info.canonicalFilePath() : QString();
    return target.isEmpty() ? path : target;
}

Result<void> writeChosenFile(const QString& path, const QByteArray& bytes)
{
    const QString target = behindLink(path);
    if (QFileInfo::exists(target) && ::access(QFile::encodeName(target).constData(), W_OK) != 0)
        return writeFailure(path, errno);
    return writeFileAtomically(target, bytes);
}

Result<void> writeJsonAtomically(const QString& path, const QJsonObject& object, Readers readers)
{
    return writeFileAtomically(path, QJsonDocument(object).toJson(), readers);
}

Result<void> makeFolder(const QString& path)
{
    static constexpr int kDeepest = 100;
    QStringList missing; // the innermost first
    QString parent = path;
    while (!QFileInfo(parent).isDir()) {
        if (QFileInfo::exists(parent))
            return Failure{
                u"not_writable"_s,
                Launcher::tr("%1 is a file, not a folder. Choose another folder.").arg(parent)};
        missing << parent;
        const QString above = QFileInfo(parent).absolutePath();
        if (above == parent)
            break;
        if (missing.size() > kDeepest)
            return Failure{
                u"not_writable"_s,
                Launcher::tr("%1… lies more than %2 folders deep. Choose another folder.")
                    .arg(path.left(200))
                    .arg(kDeepest)};
        parent = above;
    }
    while (!missing.isEmpty()) {
        const QString folder = missing.takeLast();
        if (::mkdir(QFile::encodeName(folder).constData(), 0777) != 0 && errno != EEXIST)
            return writeFailure(folder, errno);
    }
    return {};
}

QString existingPart(const QString& path)
{
    QString there = path;
    while (!QFileInfo::exists(there)) {
        const QString parent = QFileInfo(there).absolutePath();
        if (parent == there)
            break;
        there = parent;
    }
    return there;
}

bool mayBeWritten(const QString& path)
{
    const QString there = existingPart(path);
    const QByteArray name = QFile::encodeName(there);
    if (!QFileInfo(there).isDir())
        return there == path && ::access(name.constData(), R_OK | W_OK) == 0;
    struct statvfs volume {
    };
    // root may write into every folder of /proc, says access(), but no file system is there.
    const bool holdsFiles = ::statvfs(name.constData(), &volume) != 0 || volume.f_blocks > 0;
    return holdsFiles && ::access(name.constData(), W_OK | X_OK) == 0;
}

QString tailOfFile(const QString& path, int maxLines, qint64 maxBytes)
{
    QFile file;
    if (!openOrdinaryFile(file, path))
        return {};
    if (file.size() > maxBytes)
        file.seek(file.size() - maxBytes);
    QStringList lines = QString::fromUtf8(file.read(maxBytes)).split(u'\n');
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

Result<void> hasRoomToBegin(const QString& folder)
{
    const qint64 free = freeBytesAt(folder);
    if (free < 0 || free >= kBytesToBegin)
        return {};
    return Failure{u"disk_full"_s,
                   Launcher::tr("%1 has only %2 MB left; a study needs at least %3 MB. "
                                "Free some space or choose another "
                                "folder.")
                       .arg(folder)
                       .arg(free >> 20)
                       .arg(kBytesToBegin >> 20)};
}

QStringList fullDisks(const QStringList& folders)
{
    constexpr qint64 kLeastBytes = 256 << 10;
    QStringList full;
    for (const QString& folder : folders)
        if (const QStorageInfo disk(folder);
            disk.isValid() && disk.isReady() && disk.bytesAvailable() < kLeastBytes)
            full << folder;
    return full;
}

} // namespace scalebench
