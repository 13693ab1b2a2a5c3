// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/own_studies.h"

#include "base/file_io.h"
#include "base/translated.h"
#include "run/imported_study.h"
#include "run/study_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString ownStudiesList()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           u"/scalebench/own_studies.txt"_s;
}

Failure ownStudiesNotWritable()
{
    return {u"not_writable"_s,
            Launcher::tr("%1 could not be written, the small file that lists the studies which may "
                         "run here, wherever their results are. Let it be written, or set "
                         "XDG_DATA_HOME to another folder.")
                .arg(ownStudiesList())};
}

/// The list, open for one more line; -1: it cannot be written.
static int openList()
{
    if (!makeFolder(QFileInfo(ownStudiesList()).path()))
        return -1;
    return ::open(QFile::encodeName(ownStudiesList()).constData(),
                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/// What a study does is in these files. Empty where they cannot be read. `changed` stands for the
/// file of that name.
static QByteArray contentMark(const QString& studyDir, const QString& changedName = {},
                              const QByteArray& changed = {})
{
    const Result<QStringList> plan = readPlan(studyDir);
    if (!plan)
        return {};
    QStringList names{u"study.json"_s, u"plan.json"_s, u"machine.json"_s};
    for (const QString& runId : plan.value())
        names << u"runs/%1/run.json"_s.arg(runId);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString& name : names) {
        const Result<QByteArray> bytes =
            name == changedName ? Result<QByteArray>(changed) : readFileBelow(studyDir, name);
        if (!bytes && name != "machine.json"_L1)
            return {};
        // The length keeps the end of one file from being taken for the beginning of the next.
        hash.addData(name.toUtf8() + ' ' + QByteArray::number(bytes ? bytes.value().size() : -1) +
                     '\n');
        if (bytes)
            hash.addData(bytes.value());
    }
    return hash.result().toHex();
}

/// The folder itself: its inode, which stays when it is moved, and where it is now.
struct Place {
    QByteArray inode;
    QByteArray path;
};

static Place placeOf(const QString& studyDir)
{
    const QByteArray path = QFile::encodeName(QFileInfo(studyDir).canonicalFilePath());
    struct stat info {
    };
    if (path.isEmpty() || ::stat(path.constData(), &info) != 0)
        return {};
    return {QByteArray::number(quint64(info.st_ino)), path.toPercentEncoding("/")};
}

static Result<void> remember(const QString& studyDir, const QByteArray& mark)
{
    const Place place = placeOf(studyDir);
    if (mark.isEmpty() || place.path.isEmpty())
        return {}; // what cannot be read is nobody's
    const int fd = openList();
    const QByteArray line = mark + ' ' + place.inode + ' ' + place.path + '\n';
    // One O_APPEND write: several programs may add at the same time.
    const bool written =
        fd >= 0 && ::write(fd, line.constData(), size_t(line.size())) == line.size();
    if (fd >= 0)
        ::close(fd);
    return written ? Result<void>() : ownStudiesNotWritable();
}

Result<void> mayRememberStudies()
{
    const int fd = openList();
    if (fd < 0)
        return ownStudiesNotWritable();
    ::close(fd);
    return {};
}

Result<void> rememberOwnStudy(const QString& studyDir)
{
    return remember(studyDir, contentMark(studyDir));
}

bool isOwnStudy(const QString& studyDir)
{
    const Place place = placeOf(studyDir);
    const Result<QByteArray> list = readFile(ownStudiesList());
    if (place.path.isEmpty() || !list)
        return false;
    QByteArray mark;
    for (const QByteArray& line : list.value().split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() != 3 || (words[1] != place.inode && words[2] != place.path))
            continue;
        if (mark.isEmpty()) // reads every run.json: only where the folder is known
            mark = contentMark(studyDir);
        if (!mark.isEmpty() && words[0] == mark)
            return true;
    }
    return false;
}

Failure foreignStudy(const QString& studyDir)
{
    if (imports::isImportedStudy(studyDir))
        return {u"study_foreign"_s,
                Launcher::tr("%1 holds imported results: they are only read.").arg(studyDir)};
    if (!QFileInfo::exists(studyDir + u"/study.json"_s))
        return {u"study_unknown"_s,
                Launcher::tr("There is no study in %1: it has no study.json.").arg(studyDir)};
    return {
        u"study_foreign"_s,
        Launcher::tr(
            "%1 was not planned by this user here, or it was changed or copied since: it is only "
            "read. To run it, plan it again: scalebench study %1/study.json.")
            .arg(studyDir)};
}

Result<void> checkOwnStudy(const QString& studyDir)
{
    return isOwnStudy(studyDir) ? Result<void>() : foreignStudy(studyDir);
}

Result<void> rewriteOwnRun(const QString& runDir, const QJsonObject& runJson)
{
    const QString studyDir = studyDirOf(QFileInfo(runDir).absoluteFilePath());
    if (!isOwnStudy(studyDir))
        return foreignStudy(studyDir);
    const QByteArray bytes = QJsonDocument(runJson).toJson();
    // Remembered first: who is killed in between must not lose the study.
    const QByteArray mark =
        contentMark(studyDir, u"runs/%1/run.json"_s.arg(QFileInfo(runDir).fileName()), bytes);
    if (Result<void> noted = remember(studyDir, mark); !noted)
        return noted;
    return writeFileAtomically(runDir + u"/run.json"_s, bytes);
}

} // namespace scalebench
