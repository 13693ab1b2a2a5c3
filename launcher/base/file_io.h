// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whole-file reads (launcher/ordinary_file.h) and atomic writes with messages for people. POSIX
// underneath, because the supervisor uses it too and the exact errno decides what we say.

#include "base/ordinary_file.h"
#include "base/result.h"

#include <QByteArray>
#include <QFile>
#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace scalebench {

/// Of a stream of results: far beyond the 417 MB of a million records.
constexpr qint64 kMostStreamBytes = qint64(2) << 30;

/// Opens an ordinary file for reading, unbuffered; a link in the last place is not followed. False
/// when there is none.
bool openOrdinaryFile(QFile& file, const QString& path);

enum class Readers {
    Umask,    ///< whom the user's umask lets
    OwnerOnly ///< for what may hold a password or a token: 0600
};
/// Writes a new file beside it (exclusively created), syncs nothing, renames: a link there is
/// replaced. A pipe or a device stays. Codes "not_writable", "disk_full", "not_a_file".
Result<void> writeFileAtomically(const QString& path, const QByteArray& bytes,
                                 Readers readers = Readers::Umask);
Result<void> writeJsonAtomically(const QString& path, const QJsonObject& object,
                                 Readers readers = Readers::Umask);
/// A file that a person chose: what a link leads to is written, with the permissions that it has.
/// Not for folders of results, whose links may be somebody else's. Codes as above.
Result<void> writeChosenFile(const QString& path, const QByteArray& bytes);
/// The file that a link leads to; `path` itself where it is none.
QString behindLink(const QString& path);
/// Adds a line to an ordinary file, made where there is none, in one write: two programs may do so
/// at the same time. Codes as above, and of readFileBelow() for what is no ordinary file.
Result<void> appendLine(const QString& path, const QString& line);
/// Creates the folder with its parents, 100 of them at most. Codes as above.
Result<void> makeFolder(const QString& path);
/// The path itself or the nearest folder above it that exists.
QString existingPart(const QString& path);
/// A file or folder of that name can be read and written, or made; nothing is made to find out.
bool mayBeWritten(const QString& path);
/// What the C library or Qt says of a failed call ("Permission denied"), in the window's language
/// where it is one of the common ones. Our sentences end with it, so it is never the desktop's
/// language beside another: programs begin with keepSystemTextsEnglish(), and translate from that.
QString systemText(const QString& english);
/// After the application object, which sets the desktop's language.
void keepSystemTextsEnglish();
/// Sentence and code for an errno met while writing `path`.
Failure writeFailure(const QString& path, int error);
/// Bytes an ordinary user may still write where `path` (which exists) lies; -1 when unknown.
/// statvfs, because QStorageInfo knows only listed mounts: not those of a container or chroot.
qint64 freeBytesAt(const QString& path);
/// What is left free, whatever is copied here, and what there must be for a study or a copy to
/// begin.
constexpr qint64 kBytesToLeaveFree = 64 << 20, kBytesToBegin = 80 << 20;
/// Where there is not that much: "disk_full".
Result<void> hasRoomToBegin(const QString& folder);
/// Those of the folders whose disk has no room for another line. What cannot be written often
/// cannot be told either: not even an error message.
QStringList fullDisks(const QStringList& folders);
/// Last lines of a file without reading all of it.
QString tailOfFile(const QString& path, int maxLines, qint64 maxBytes = 16384);

} // namespace scalebench
