// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/trash.h"

#include "base/checked_names.h"
#include "base/file_io.h"
#include "base/json_fields.h"
#include "base/ordinary_file.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "run/study.h"
#include "run/study_files.h"
#include "run/study_lock.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonObject>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

QString trashDir(const Library& library)
{
    return library.dir() + u"/trash"_s;
}

/// A folder itself: what a link stands for is somebody else's, and emptying would delete it.
bool isFolder(const QString& path)
{
    const QFileInfo info(path);
    return info.isDir() && !info.isSymLink();
}

bool holdsStudies(const QString& folder)
{
    return folder == "studies"_L1 || folder == "imported"_L1;
}

/// Where in the library a study lies; a name of a folder in it and nothing that leads elsewhere.
Result<TrashedStudy> placeOf(const Library& library, const QString& studyDir)
{
    const QFileInfo info(QDir::cleanPath(studyDir));
    TrashedStudy study;
    study.id = info.fileName();
    study.folder = QFileInfo(info.path()).fileName();
    const QString expected = library.dir() + u'/' + study.folder + u'/' + study.id;
    if (!holdsStudies(study.folder) || info.absoluteFilePath() != QDir::cleanPath(expected) ||
        !StudyId::parse(study.id) || info.isSymLink() || !info.isDir())
        return Failure{
            u"not_in_library"_s,
            Launcher::tr("%1 is no study of the library %2, so it is not put away. Move its folder "
                         "yourself.")
                .arg(visibleLine(studyDir), library.dir())};
    return study;
}

Result<TrashedStudy> readMark(const Library& library, const QString& name)
{
    const Result<QByteArray> bytes =
        readFileBelow(trashDir(library), name + u"/trash.json"_s, 64 << 10);
    if (!bytes)
        return bytes.failure();
    const Result<QJsonObject> object = parseJsonObject(bytes.value(), u"trash.json"_s);
    if (!object)
        return object.failure();
    TrashedStudy study;
    study.name = name;
    study.folder = object.value().value("folder"_L1).toString();
    study.id = object.value().value("id"_L1).toString();
    study.title = visibleLine(object.value().value("title"_L1).toString().left(200));
    study.trashedMs = object.value().value("trashed_ms"_L1).toInteger();
    if (object.value().value("format"_L1) != "scalebench.trash"_L1 || !holdsStudies(study.folder) ||
        !StudyId::parse(study.id))
        return Failure{u"not_in_trash"_s,
                       Launcher::tr("%1/%2/trash.json is damaged.").arg(trashDir(library), name)};
    return study;
}

Result<void> renameFolder(const QString& from, const QString& to)
{
    if (std::rename(QFile::encodeName(from).constData(), QFile::encodeName(to).constData()) == 0)
        return {};
    return writeFailure(to, errno);
}

/// A folder of its own in the trash, with the mark in it.
Result<void> makePlace(const Library& library, TrashedStudy& study)
{
    const QString base =
        QDateTime::fromMSecsSinceEpoch(study.trashedMs).toString(u"yyyyMMdd-HHmmss-"_s) + study.id;
    study.name = base;
    for (int n = 2; QFileInfo::exists(trashDir(library) + u'/' + study.name); ++n)
        study.name = u"%1-%2"_s.arg(base).arg(n);
    const QString place = trashDir(library) + u'/' + study.name;
    if (Result<void> made = makeFolder(place); !made)
        return made;
    return writeJsonAtomically(place + u"/trash.json"_s, {{u"format"_s, u"scalebench.trash"_s},
                                                          {u"version"_s, 1},
                                                          {u"folder"_s, study.folder},
                                                          {u"id"_s, study.id},
                                                          {u"title"_s, study.title},
                                                          {u"trashed_ms"_s, study.trashedMs}});
}

} // namespace

Result<TrashedStudy> moveToTrash(const Library& library, const QString& studyDir)
{
    Result<TrashedStudy> placed = placeOf(library, studyDir);
    if (!placed)
        return placed;
    if (const Result<void> may = library.mayWrite(); !may)
        return may.failure();
    TrashedStudy study = placed.value();
    if (const Result<Study> head = loadStudyHead(studyDir))
        study.title = visibleLine(head.value().spec.name);
    study.trashedMs = QDateTime::currentMSecsSinceEpoch();
    // A study of other origin has no lock, and must not get one; nothing works on it either.
    StudyLock lock;
    if (study.folder == "studies"_L1 && !lock.acquire(studyDir, 0))
        return Failure{
            u"study_active"_s,
            Launcher::tr("\"%1\" is being worked on. Stop it first, or let it end.").arg(study.id)};
    if (Result<void> made = makePlace(library, study); !made)
        return made.failure();
    const QString place = trashDir(library) + u'/' + study.name;
    if (Result<void> moved = renameFolder(studyDir, place + u"/study"_s); !moved) {
        QFile::remove(place + u"/trash.json"_s);
        QDir().rmdir(place);
        return moved.failure();
    }
    return study;
}

Result<QString> restoreFromTrash(const Library& library, const QString& name)
{
    const Result<TrashedStudy> study = findTrashed(library, name);
    if (!study)
        return study.failure();
    const QString place = trashDir(library) + u'/' + study.value().name;
    const QString home = library.dir() + u'/' + study.value().folder;
    const QString to = home + u'/' + study.value().id;
    if (QFileInfo::exists(to))
        return Failure{
            u"study_exists"_s,
            Launcher::tr("%1 is there again, so the one of the trash stays where it is: %2.")
                .arg(to, place)};
    if (Result<void> made = makeFolder(home); !made)
        return made.failure();
    if (Result<void> moved = renameFolder(place + u"/study"_s, to); !moved)
        return moved.failure();
    QFile::remove(place + u"/trash.json"_s);
    QDir().rmdir(place);
    return to;
}

QList<TrashedStudy> trashedStudies(const Library& library)
{
    QList<TrashedStudy> list;
    if (!isFolder(trashDir(library)))
        return list;
    const QDir dir(trashDir(library));
    for (const QString& name :
         dir.entryList(QDir::Dirs | QDir::NoSymLinks | QDir::NoDotAndDotDot, QDir::Name))
        if (const Result<TrashedStudy> study = readMark(library, name);
            study && isFolder(dir.filePath(name) + u"/study"_s))
            list << study.value();
    std::stable_sort(list.begin(), list.end(), [](const TrashedStudy& a, const TrashedStudy& b) {
        return a.trashedMs > b.trashedMs;
    });
    return list;
}

Result<TrashedStudy> findTrashed(const Library& library, const QString& word)
{
    const QList<TrashedStudy> all = trashedStudies(library);
    QList<TrashedStudy> matches;
    for (const TrashedStudy& study : all) {
        if (study.name == word || (word == "latest"_L1 && matches.isEmpty()))
            return study;
        if (study.id == word)
            matches.prepend(study);
        else if (!word.isEmpty() && study.id.startsWith(word))
            matches << study;
    }
    if (matches.size() == 1 || (!matches.isEmpty() && matches.first().id == word))
        return matches.first();
    if (matches.isEmpty())
        return Failure{
            u"not_in_trash"_s,
            Launcher::tr(
                "There is no study \"%1\" in the trash of %2. \"scalebench results trash\" "
                "lists what is.")
                .arg(visibleLine(word), library.dir())};
    return Failure{u"study_ambiguous"_s,
                   Launcher::tr("\"%1\" could be any of %2 studies. Give more of the id.")
                       .arg(visibleLine(word))
                       .arg(matches.size())};
}

Result<int> emptyTrash(const Library& library)
{
    int deleted = 0;
    for (const TrashedStudy& study : trashedStudies(library)) {
        const QString place = trashDir(library) + u'/' + study.name;
        // The mark goes last: what a failure leaves is still known as trash.
        if (!QDir(place + u"/study"_s).removeRecursively())
            return Failure{
                u"not_writable"_s,
                Launcher::tr("%1 could not be deleted whole. Look at its permissions.").arg(place)};
        QFile::remove(place + u"/trash.json"_s);
        QDir().rmdir(place);
        ++deleted;
    }
    return deleted;
}

} // namespace scalebench
