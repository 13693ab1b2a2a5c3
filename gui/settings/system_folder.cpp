// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/system_folder.h"

#include <QCoreApplication>
#include <QDir>

namespace scalebench {

bool isSystemFolder(const QString& path)
{
    const QString clean = QDir::cleanPath(path) + u'/';
    return (clean.startsWith(u"/proc/") || clean.startsWith(u"/sys/") ||
            clean.startsWith(u"/dev/")) &&
           !clean.startsWith(u"/dev/shm/");
}

Failure systemFolderFailure(const QString& path)
{
    return {QStringLiteral("not_writable"),
            QCoreApplication::translate("SystemFolder",
                                        "%1 shows what the system does and keeps no files. Choose "
                                        "another folder.")
                .arg(path)};
}

} // namespace scalebench
