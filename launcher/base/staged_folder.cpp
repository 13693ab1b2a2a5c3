// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/staged_folder.h"

#include "base/file_io.h"
#include "base/translated.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// A folder of this user, not a link, that no other program holds; -1: not so.
static int lockFolder(const QString& path)
{
    const int lock = ::open(QFile::encodeName(path).constData(),
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat info {
    };
    if (lock >= 0 && ::fstat(lock, &info) == 0 && info.st_uid == ::geteuid() &&
        ::flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    if (lock >= 0)
        ::close(lock);
    return -1;
}

/// Those of earlier versions are called .report-.
static void removeLeft(const QString& target)
{
    static const QRegularExpression kName(u"^\\.(incoming|report)-[A-Za-z]{6}$"_s);
    const QDir folder(target);
    for (const QString& name : folder.entryList({u".incoming-*"_s, u".report-*"_s},
                                                QDir::Dirs | QDir::Hidden | QDir::NoSymLinks)) {
        const QString path = folder.filePath(name);
        if (!kName.match(name).hasMatch())
            continue;
        if (const int lock = lockFolder(path); lock >= 0) {
            QDir(path).removeRecursively();
            ::close(lock);
        }
    }
}

StagedFolder::StagedFolder(const QString& target, bool made)
    : m_target(target),
      m_made(made),
      m_folder(target + u"/.incoming-XXXXXX"_s), // in the same file system: moving is renaming
      m_lock(m_folder.isValid() ? lockFolder(m_folder.path()) : -1)
{
}

StagedFolder::~StagedFolder()
{
    m_folder.remove();
    if (m_lock >= 0)
        ::close(m_lock);
    if (m_made)
        QDir().rmdir(m_target);
}

Result<std::unique_ptr<StagedFolder>> StagedFolder::in(const QString& target)
{
    const bool there = QFileInfo::exists(target);
    if (there && !QFileInfo(target).isDir())
        return Failure{u"file_exists"_s,
                       Launcher::tr("\"%1\" is a file; give a folder.").arg(target)};
    if (const Result<void> made = makeFolder(target); !made)
        return made.failure();
    removeLeft(target);
    std::unique_ptr<StagedFolder> staged(new StagedFolder(target, !there));
    if (!staged->m_folder.isValid())
        return Failure{u"not_writable"_s, Launcher::tr("\"%1\" cannot be written to.").arg(target)};
    return staged;
}

Result<QStringList> StagedFolder::moveOut(const QStringList& older)
{
    const QDir from(path()), to(m_target);
    const QStringList names = from.entryList(QDir::Files, QDir::Name);
    for (const QString& name : names)
        if (QFileInfo(to.filePath(name)).isDir())
            return Failure{u"file_exists"_s,
                           Launcher::tr("In \"%1\" there is a folder of the name \"%2\", which a "
                                        "file shall have. Move it away, or give another folder.")
                               .arg(m_target, name)};
    for (const QString& name : names) {
        const QByteArray source = QFile::encodeName(from.filePath(name));
        const QByteArray target = QFile::encodeName(to.filePath(name));
        if (std::rename(source.constData(), target.constData()) != 0)
            return Failure{
                u"not_writable"_s,
                Launcher::tr("\"%1\" could not be put into \"%2\". May the folder be written to?")
                    .arg(name, m_target)};
    }
    for (const QString& name : older)
        if (!names.contains(name))
            QFile::remove(to.filePath(name));
    return names;
}

int StagedFolder::becomes(const QString& folder)
{
    const QByteArray from = QFile::encodeName(path());
    struct stat above {
    };
    // Temporary folders are their owner's alone; this one is as open as the one around it.
    if (::stat(QFile::encodeName(m_target).constData(), &above) != 0 ||
        ::chmod(from.constData(), above.st_mode & 0777) != 0)
        return errno;
    const QByteArray to = QFile::encodeName(m_target + u'/' + folder);
    return std::rename(from.constData(), to.constData()) == 0 ? 0 : errno;
}

} // namespace scalebench
