// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/library.h"

#include "base/file_io.h"
#include "base/host_names.h"
#include "base/process_tree.h"
#include "base/translated.h"
#include "library/new_study.h"
#include "library/study_index.h"
#include "machine/study_machine.h"
#include "run/imported_study.h"
#include "run/own_studies.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_lock.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static const QString kExternalFile = u"external_studies.txt"_s;
struct Library::Private {
    QString dir;
    Result<void> mayWrite;
    std::unique_ptr<QTemporaryDir>
        elsewhere; ///< where an index is that the library has no room for
    std::unique_ptr<StudyIndex> index;

    explicit Private(const QString& folder)
        : dir(folder), index(std::make_unique<StudyIndex>(folder))
    {
    }

    /// Somebody else's library, on a medium that is not written to or on a full disk, can be looked
    /// at all the same.
    bool openIndexElsewhere()
    {
        elsewhere = std::make_unique<QTemporaryDir>();
        index = std::make_unique<StudyIndex>(elsewhere->path());
        return elsewhere->isValid() && index->open();
    }

    QString externalPath() const { return dir + u'/' + kExternalFile; }

    /// None where it is no ordinary file: the library may be somebody else's.
    QList<QByteArray> externalLines() const
    {
        const Result<QByteArray> text = readFileBelow(dir, kExternalFile);
        return text ? text.value().split('\n') : QList<QByteArray>();
    }

    /// All study folders that exist: inside the library and remembered ones.
    QStringList studyDirs() const
    {
        QStringList dirs;
        const QDir inside(dir + u"/studies"_s);
        for (const QString& name : inside.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            if (QFileInfo::exists(inside.filePath(name) + u"/study.json"_s))
                dirs << inside.absoluteFilePath(name);
        const QDir imported(dir + u"/imported"_s);
        for (const QString& name :
             imported.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name))
            if (imports::isImportedStudy(imported.filePath(name)) ||
                imports::isUnpackedBundle(imported.filePath(name)))
                dirs << imported.absoluteFilePath(name);
        for (const QByteArray& line : externalLines())
            if (const QString path = QString::fromUtf8(line);
                path.startsWith(u'/') && QFileInfo::exists(path + u"/study.json"_s))
                dirs << path;
        dirs.removeDuplicates();
        return dirs;
    }

    Result<NewFolder> claimId(const QString& wanted);
    QList<Failure> leftOut; ///< studies that the last refresh() could not read

    static bool isWriting(const Failure& failure)
    {
        return failure.code == "not_writable"_L1 || failure.code == "disk_full"_L1;
    }

    /// What is wrong with a single study keeps no other one away.
    static bool isOfTheIndex(const Failure& failure)
    {
        return isWriting(failure) || failure.code == kIndexDamaged;
    }

    Result<void> storeNow(const QString& studyDir)
    {
        const QString held = lastHeld(studyDir); // before its states are read
        const Result<Study> study = loadStudy(studyDir);
        return study ? index->store(study.value(), held) : Result<void>(study.failure());
    }

    /// What reads or writes the index, done once more with an empty one where it is damaged, and
    /// with one elsewhere where its disk is full or it is no longer ours to write.
    template <typename Work>
    auto mended(const Work& work) -> decltype(work())
    {
        auto result = work();
        if (!result && isWriting(result.failure()) && !elsewhere)
            return openIndexElsewhere() ? work() : result;
        if (result || result.failure().code != kIndexDamaged)
            return result;
        if (const Result<void> anew = index->renew(); !anew)
            return anew.failure();
        return work();
    }

    Result<void> rememberExternal(const QString& studyDir)
    {
        const QString inside = QDir(dir + u"/studies"_s).absolutePath() + u'/';
        if (studyDir.startsWith(inside))
            return {};
        return externalLines().contains(studyDir.toUtf8()) ? Result<void>()
                                                           : appendLine(externalPath(), studyDir);
    }

    /// What is damaged is said, and the studies are listed without it.
    Annotations annotations() const
    {
        const Result<Annotations> read = readAnnotations(dir);
        if (!read)
            qWarning("%s", qPrintable(read.failure().message));
        return read ? read.value() : Annotations();
    }

    /// Brings the index up to date with the folders: new and vanished ones, unfinished studies, and
    /// those that somebody went on with since.
    Result<void> refresh()
    {
        const Result<QList<IndexedStudy>> indexed = index->indexed();
        if (!indexed)
            return indexed.failure();
        const QStringList present = studyDirs();
        const QSet<QString> there(present.begin(), present.end());
        QSet<QString> upToDate;
        for (const IndexedStudy& study : indexed.value()) {
            if (study.isFinished && study.held == lastHeld(study.dir))
                upToDate.insert(study.dir);
            if (!there.contains(study.dir))
                if (Result<void> r = index->forget(study.dir); !r)
                    return r;
        }
        leftOut.clear();
        for (const QString& studyDir : present)
            if (!upToDate.contains(studyDir))
                if (Result<void> r = storeNow(studyDir); !r) {
                    if (isOfTheIndex(r.failure()))
                        return r;
                    leftOut << r.failure(); // the others are listed
                }
        return {};
    }
};

Library::Library(std::unique_ptr<Private> priv) : d(std::move(priv)) {}

Library::~Library() = default;

QString Library::defaultDir()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/scalebench"_s;
}

static bool isReadable(const QString& folder)
{
    return ::access(QFile::encodeName(folder).constData(), R_OK | X_OK) == 0;
}

static bool holdsLibrary(const QString& folder)
{
    for (const char* name : {"/studies", "/imported", "/index.sqlite"})
        if (QFileInfo::exists(folder + QLatin1StringView(name)))
            return true;
    return false;
}

Result<std::shared_ptr<Library>> Library::open(const QString& dir, IfMissing missing)
{
    const QString folder = QFileInfo(dir.isEmpty() ? defaultDir() : dir).absoluteFilePath();
    const bool held = isReadable(folder) && holdsLibrary(folder);
    // Of a disk that was unmounted the empty folder remains.
    const bool exists = QFileInfo(folder).isDir() && (held || !isReadable(folder));
    if (!exists && missing == IfMissing::Fail)
        return Failure{
            u"library_gone"_s,
            Launcher::tr("The library %1 is gone: it was moved or deleted, or its disk is not "
                         "mounted. Bring it back, or choose another folder.")
                .arg(folder)};
    Result<void> made = makeFolder(folder + u"/studies"_s);
    if (made && ::access(QFile::encodeName(folder).constData(), W_OK | X_OK) != 0)
        made = writeFailure(folder, errno);
    auto priv = std::make_unique<Private>(folder);
    if (!made && made.failure().code == "not_writable"_L1)
        priv->mayWrite = made;
    if (made)
        made = priv->index->open();
    if (!made && (!held || !Private::isWriting(made.failure()) || !priv->openIndexElsewhere()))
        return made.failure();
    return std::shared_ptr<Library>(new Library(std::move(priv)));
}

QList<Failure> Library::leftOut() const
{
    return d->leftOut;
}

Result<void> Library::mayWrite() const
{
    return d->mayWrite;
}

QString Library::dir() const
{
    return d->dir;
}

QString Library::generatedDataDir() const
{
    return d->dir + u"/data"_s;
}

QString Library::newStudyId(const StudySpec& spec) const
{
    const QStringList workloads = spec.workloadIds();
    return u"%1-%2-%3"_s.arg(
        workloads.size() > 2 ? u"%1-workloads"_s.arg(workloads.size()) : workloads.join(u'+'),
        spec.scale, QDateTime::currentDateTime().toString(u"yyyyMMdd-HHmmss"_s));
}

/// The id that createStudy() gives a study, and the folder that holds it until the index knows it.
Result<NewFolder> Library::Private::claimId(const QString& wanted)
{
    Result<QSet<QString>> known = index->ids();
    if (!known)
        return known.failure();
    for (int n = 1;; ++n) {
        Result<NewFolder> folder = NewFolder::claim(dir + u"/studies"_s, wanted, n);
        if (!folder || !known.value().contains(folder.value().name()))
            return folder;
        n = folder.value().number();
    }
}

Result<Study> Library::createStudy(const StudySpec& spec, const QList<RunConfig>& runs,
                                   const QString& studyId, const QString& outDir,
                                   const TargetMachine& machine)
{
    if (const Result<void> free = outDir.isEmpty() ? Result<void>() : mayHoldNewStudy(outDir);
        !free)
        return free.failure();
    if (const Result<void> may = mayRememberStudies(); !may)
        return may.failure();
    Result<NewFolder> claimed = d->claimId(studyId);
    if (!claimed && Private::isOfTheIndex(claimed.failure()) && studies()) // which mends it
        claimed = d->claimId(studyId);
    if (!claimed && !outDir.isEmpty())
        return Failure{claimed.failure().code,
                       Launcher::tr("%1 The library lists every study, also one whose results go "
                                    "to another folder: another library is named by --library.")
                           .arg(claimed.failure().message)};
    if (!claimed)
        return claimed.failure();
    NewFolder& folder = claimed.value();
    const QString studyDir =
        outDir.isEmpty() ? folder.path() : QFileInfo(outDir).absoluteFilePath();
    if (Result<void> r = writeNewStudy(studyDir, spec, withStudyId(runs, folder.name()), machine);
        !r)
        return r.failure();
    if (Result<void> r = rememberOwnStudy(studyDir); !r)
        return r.failure();
    if (Result<void> r = d->rememberExternal(studyDir); !r)
        return r.failure();
    if (Result<void> r = updateIndex(studyDir); !r)
        return r.failure();
    if (outDir.isEmpty())
        folder.keep();
    return loadStudyHead(studyDir);
}

Result<void> Library::updateIndex(const QString& studyDir)
{
    const QString dir = QFileInfo(studyDir).absoluteFilePath();
    return d->mended([&] { return d->storeNow(dir); });
}

Result<QList<StudySummary>> Library::studies()
{
    Result<QList<StudySummary>> list = d->mended([this]() -> Result<QList<StudySummary>> {
        if (Result<void> r = d->refresh(); !r)
            return r.failure();
        return d->index->studies();
    });
    const Annotations annotations = d->annotations();
    if (list && !annotations.isEmpty())
        for (StudySummary& study : list.value()) {
            const Annotation one = annotationOf(annotations, d->dir, study.dir);
            study.tags = one.tags;
            study.note = one.note;
        }
    return list;
}

Result<QList<RunSummary>> Library::runs(const QString& studyId)
{
    Result<QList<RunSummary>> list = d->mended([&]() -> Result<QList<RunSummary>> {
        if (Result<void> r = d->refresh(); !r)
            return r.failure();
        return d->index->runs(studyId);
    });
    const Annotations annotations = d->annotations();
    if (list && !annotations.isEmpty())
        for (RunSummary& run : list.value()) {
            const Annotation one = annotationOf(annotations, d->dir, studyDirOf(run.runDir));
            run.tags = one.tags;
            run.note = one.note;
        }
    return list;
}

Result<Annotation> Library::annotate(const QString& studyDir, const AnnotationEdit& edit)
{
    if (!d->mayWrite)
        return d->mayWrite.failure();
    return scalebench::annotate(d->dir, studyDir, edit);
}

Result<QString> Library::findStudyDir(const QString& idOrDir)
{
    if (!idOrDir.isEmpty() &&
        (QFileInfo::exists(idOrDir + u"/study.json"_s) || imports::isImportedStudy(idOrDir)))
        return QFileInfo(idOrDir).absoluteFilePath();
    const Result<QList<StudySummary>> all = studies();
    if (!all)
        return all.failure();
    if (idOrDir == "latest"_L1 || idOrDir.isEmpty()) {
        if (all.value().isEmpty())
            return Failure{u"no_studies"_s,
                           Launcher::tr("The library %1 has no study yet.").arg(d->dir)};
        return all.value().first().dir;
    }
    QStringList matches;
    for (const StudySummary& study : all.value()) {
        if (study.id == idOrDir)
            return study.dir;
        if (study.id.startsWith(idOrDir))
            matches << study.dir;
    }
    if (matches.size() == 1)
        return matches.first();
    if (matches.isEmpty())
        return Failure{
            u"study_unknown"_s,
            Launcher::tr("There is no study \"%1\" in %2. \"scalebench results list\" shows all.")
                .arg(idOrDir, d->dir)};
    return Failure{u"study_ambiguous"_s,
                   Launcher::tr("\"%1\" could be any of %2 studies. Give more of the id.")
                       .arg(idOrDir)
                       .arg(matches.size())};
}

Result<int> Library::rebuild()
{
    return d->mended([this]() -> Result<int> {
        if (const Result<void> cleared = d->index->clear(); !cleared)
            return cleared.failure();
        int found = 0;
        for (const QString& studyDir : d->studyDirs()) {
            const Result<void> stored = d->storeNow(studyDir);
            if (stored)
                ++found;
            else if (Private::isOfTheIndex(stored.failure()))
                return stored.failure();
            else
                qWarning("%s", qPrintable(stored.failure().message));
        }
        return found;
    });
}

} // namespace scalebench
