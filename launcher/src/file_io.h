// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whole-file reads and atomic writes with messages for people. POSIX underneath, because the
// supervisor uses it too and the exact errno decides what we say.

#include "launcher/result.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

namespace scalebench {

Result<QByteArray> readFile(const QString& path);
/// Writes "<path>.tmp<pid>", syncs nothing, renames. Codes "not_writable", "disk_full".
Result<void> writeFileAtomically(const QString& path, const QByteArray& bytes);
Result<void> writeJsonAtomically(const QString& path, const QJsonObject& object);
/// Creates the folder with its parents. Codes as above.
Result<void> makeFolder(const QString& path);
/// Sentence and code for an errno met while writing `path`.
Failure writeFailure(const QString& path, int error);
/// Bytes an ordinary user may still write where `path` (which exists) lies; -1 when unknown.
/// statvfs, because QStorageInfo knows only listed mounts: not those of a container or chroot.
qint64 freeBytesAt(const QString& path);
/// Last lines of a file without reading all of it.
QString tailOfFile(const QString& path, int maxLines, qint64 maxBytes = 16384);

} // namespace scalebench
