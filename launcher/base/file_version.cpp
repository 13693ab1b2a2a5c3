// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file_version.h"

#include <QDateTime>
#include <QFile>

#include <sys/stat.h>

namespace scalebench {

FileVersion FileVersion::of(const QString& path)
{
    struct stat info {
    };
    if (::lstat(QFile::encodeName(path).constData(), &info) != 0)
        return {};
    return {info.st_dev, info.st_ino, info.st_size,
            qint64(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec};
}

bool FileVersion::isSettled() const
{
    static constexpr qint64 kTickMs = 2000; // the coarsest clock of a file system in use
    return exists() && QDateTime::currentMSecsSinceEpoch() - changedNs / 1'000'000 > kTickMs;
}

} // namespace scalebench
