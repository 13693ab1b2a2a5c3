// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/study_lock.h"

#include "base/file_lock.h"
#include "base/file_version.h"
#include "base/process_tree.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static QString lockPath(const QString& studyDir)
{
    return studyDir + u"/supervisor.lock"_s;
}

static void writeHolder(int fd)
{
    const QByteArray text = ProcessIdentity::self().toText();
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, text.constData(), size_t(text.size()), 0) < 0)
        return; // the lock itself holds; only its label is missing
}

StudyLock::~StudyLock()
{
    release();
}

/// The label goes before the lock: the next holder has the lock a moment before it writes its own,
/// and until then the old one would name this process, alive and, if it looks itself, with the file
/// open.
void StudyLock::release()
{
    if (m_fd < 0)
        return;
    while (::ftruncate(m_fd, 0) != 0 && errno == EINTR)
        continue;
    ::close(m_fd);
    m_fd = -1;
}

bool StudyLock::acquire(const QString& studyDir, int timeoutMs)
{
    const int fd = openLockFile(lockPath(studyDir), O_RDWR | O_CREAT);
    if (fd < 0)
        return false;
    if (!lockWithin(fd, timeoutMs)) {
        ::close(fd);
        return false;
    }
    writeHolder(fd);
    m_fd = fd;
    return true;
}

bool StudyLock::adopt(const QString& studyDir, int fd)
{
    struct stat given {
    }, expected{};
    if (fd < 0 || ::fstat(fd, &given) != 0 ||
        ::stat(QFile::encodeName(lockPath(studyDir)).constData(), &expected) != 0 ||
        given.st_dev != expected.st_dev || given.st_ino != expected.st_ino ||
        ::flock(fd, LOCK_EX | LOCK_NB) != 0)
        return false;
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    m_fd = fd;
    return true;
}

int StudyLock::passOn()
{
    ::fcntl(m_fd, F_SETFD, 0);
    return m_fd;
}

/// The process that the lock's text names, if it is alive, the same one, and has this very file
/// open: the text alone could name anybody.
static qint64 verifiedHolder(int fd)
{
    char text[128] = {};
    struct stat info {
    };
    if (::pread(fd, text, sizeof text - 1, 0) <= 0 || ::fstat(fd, &info) != 0)
        return 0;
    const ProcessIdentity holder = ProcessIdentity::fromText(QByteArray(text));
    const bool really = holder.isAlive() && hasFileOpen(holder.pid, info.st_dev, info.st_ino);
    return really ? holder.pid : 0;
}

std::optional<qint64> lockHolder(const QString& studyDir)
{
    const int fd = openLockFile(lockPath(studyDir), O_RDONLY);
    if (fd < 0)
        return {};
    std::optional<qint64> holder;
    if (::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        holder = verifiedHolder(fd);
    ::close(fd);
    return holder;
}

QString lastHeld(const QString& studyDir)
{
    const FileVersion lock = FileVersion::of(lockPath(studyDir));
    return lock.exists() ? QString::number(lock.changedNs) : QString();
}

bool isStudyHeld(const QString& studyDir)
{
    return lockHolder(studyDir).has_value();
}

} // namespace scalebench
