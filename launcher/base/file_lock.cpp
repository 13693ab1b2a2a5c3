// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file_lock.h"

#include "base/file_io.h"
#include "base/translated.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

int openLockFile(const QString& path, int flags)
{
    const int fd = ::open(QFile::encodeName(path).constData(),
                          flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
    struct stat info {
    };
    if (fd < 0 || (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode)))
        return fd;
    ::close(fd);
    errno = EISDIR; // stands for "no ordinary file"
    return -1;
}

bool lockWithin(int fd, int timeoutMs)
{
    constexpr int kTurnMs = 10;
    for (int waited = 0; ::flock(fd, LOCK_EX | LOCK_NB) != 0; waited += kTurnMs) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || waited >= timeoutMs)
            return false;
        ::usleep(kTurnMs * 1000);
    }
    return true;
}

FileLock::~FileLock()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

Result<void> FileLock::take(const QString& path, int timeoutMs)
{
    m_fd = openLockFile(path, O_RDWR | O_CREAT);
    if (m_fd < 0)
        return errno == ELOOP || errno == EISDIR || errno == ENXIO
                   ? Failure{u"not_a_file"_s,
                             Launcher::tr(
                                 "%1 is no ordinary file (a link, a folder, a pipe), so it "
                                 "cannot be locked. Remove it and try again.")
                                 .arg(path)}
                   : writeFailure(path, errno);
    if (lockWithin(m_fd, timeoutMs))
        return {};
    return Failure{u"locked"_s, Launcher::tr("Another program has locked %1.").arg(path)};
}

} // namespace scalebench
