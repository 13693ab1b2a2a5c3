// SPDX-License-Identifier: GPL-3.0-or-later
// What a mirror writes here: what is allowed, within its limits, and never through a link.
#include "base/translated.h"
#include "mirror/folder_mirror.h"

#include "base/file_io.h"
#include "base/host_names.h"
#include "mirror/folder_protocol.h"
#include "run/checkpoints.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonObject>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kSpareForCheckpoints = 4; ///< times what is left free anyway

/// Counts what is taken over. False, and no further try, where it is more than any study has.
bool FolderMirror::mayTake(const QString& path, qsizetype bytes)
{
    m_files.insert(path);
    m_taken += bytes;
    if (m_taken > m_setup.mostBytes || m_files.size() > m_setup.mostFiles) {
        m_wanted = false;
        drop({u"mirror_quota"_s, Launcher::tr("%1 sent more than a study may have (%2 MB in %3 "
                                              "files); the copy is not continued. "
                                              "Look at %4 there.")
                                     .arg(m_setup.host)
                                     .arg(m_taken >> 20)
                                     .arg(m_files.size())
                                     .arg(m_setup.remoteDir)});
        return false;
    }
    const qint64 free = freeBytesAt(m_setup.localDir);
    if (free >= 0 && free < m_setup.leastFreeBytes + bytes) {
        drop({u"disk_full"_s,
              Launcher::tr(
                  "%1 has only %2 MB left, so nothing more is copied from %3 until it has %4 MB. "
                  "The run is not touched by this; free some space.")
                  .arg(m_setup.localDir)
                  .arg(free >> 20)
                  .arg(m_setup.host)
                  .arg(m_setup.bytesToGoOn >> 20)});
        return false;
    }
    return true;
}

/// A checkpoint must not take the space that the stream needs: then it stays where it is.
bool FolderMirror::hasRoomForCheckpoint(const QString& full, qint64 offset, qsizetype bytes)
{
    const qint64 free = freeBytesAt(m_setup.localDir);
    const bool room = free < 0 || free >= kSpareForCheckpoints * m_setup.leastFreeBytes + bytes;
    if (room && (offset == 0 || QFileInfo::exists(full)))
        return true;
    QFile::remove(full);
    m_complete = false;
    return false;
}

bool FolderMirror::write(const QJsonObject& head, const QByteArray& payload)
{
    const QString path = head.value("path"_L1).toString();
    const QString kind = head.value("is"_L1).toString();
    const bool study = m_setup.kind == ServedFolder::Study;
    const bool allowed =
        isSafePath(path) && (study ? path.startsWith("runs/"_L1) || path == "supervisor.log"_L1
                                   : isServed(ServedFolder::Run, path));
    if (!allowed) {
        drop({u"path_refused"_s,
              Launcher::tr("%1 sent a file named \"%2\", which has no place in a study.")
                  .arg(m_setup.host, printable(path))});
        return false;
    }
    const qint64 offset = head.value("offset"_L1).toInteger();
    // Checkpoints come as `incoming` only and take the other names here.
    const QString nameInRun = study ? path.section(u'/', 2) : path;
    if (isCheckpoint(nameInRun) && nameInRun != incomingCheckpoint())
        return true;
    const std::optional<qint64> most = keptBytes(m_setup.kind, path);
    const QString full = m_setup.localDir + u'/' + path;
    if (!most || QFileInfo(full).size() + payload.size() > *most)
        return true; // not a file of ours, or the part of it that is too much
    if (const QString link = linkOnTheWay(m_setup.localDir, path); !link.isEmpty()) {
        drop({u"path_refused"_s,
              Launcher::tr("%1 is a link; nothing is written through it. Remove it.").arg(link)});
        return false;
    }
    if (nameInRun == incomingCheckpoint() && kind == "data"_L1 &&
        !hasRoomForCheckpoint(full, offset, payload.size()))
        return true;
    if (!mayTake(path, payload.size()))
        return false;
    (void)makeFolder(QFileInfo(full).path());
    if (kind == "gone"_L1) {
        // A run's folder on a node is removed when all of it is here; the copy is then the
        // original. A stream only moves aside.
        if (study && path.endsWith("/result_0.txt"_L1))
            QFile::remove(full);
        return true;
    }
    if (kind == "checkpoint"_L1) {
        if (nameInRun != incomingCheckpoint() || !QFileInfo::exists(full))
            return true;
        m_taken -= std::min(m_taken, QFileInfo(full).size()); // takes another's place
        m_complete =
            installCheckpoint(full.chopped(incomingCheckpoint().size() + 1)) != Installed::Lost;
        return true;
    }
    if (kind == "whole"_L1) {
        const bool secret = path.endsWith("/job.sh"_L1);
        const Result<void> written =
            writeFileAtomically(full, payload, secret ? Readers::OwnerOnly : Readers::Umask);
        if (!written)
            drop(written.failure());
        return written.ok();
    }
    return append(full, offset, payload);
}

bool FolderMirror::append(const QString& full, qint64 offset, const QByteArray& payload)
{
    // A new file, not the old one emptied: who reads it must not read it twice. One that is empty
    // stays: somebody may have it open already.
    if (offset == 0 && QFileInfo(full).size() > 0)
        QFile::remove(full);
    const mode_t mode = full.endsWith("/job.sh"_L1) ? 0600 : 0666; // its environment
    const int fd =
        ::open(QFile::encodeName(full).constData(),
               O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode);
    QFile file;
    if (fd < 0 || !file.open(fd, QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered,
                             QFileDevice::AutoCloseHandle)) {
        drop(writeFailure(full, fd < 0 ? errno : EACCES));
        return false;
    }
    if (file.size() != offset) {
        drop({u"protocol"_s,
              Launcher::tr("The copy of %1 is out of step; it is compared anew.").arg(full)});
        return false;
    }
    if (file.write(payload) != payload.size()) {
        drop({u"disk_full"_s,
              Launcher::tr(
                  "%1 could not be written: %2. The run is not touched by this; free some space.")
                  .arg(full, systemText(file.errorString()))});
        return false;
    }
    return true;
}

} // namespace scalebench
