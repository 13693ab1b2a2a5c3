// SPDX-License-Identifier: GPL-3.0-or-later
#include "import_store.h"
#include "base/translated.h"

#include "base/file_io.h"
#include "base/file_lock.h"
#include "import/published_studies.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonDocument>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <cerrno>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kWaitForOthersMs = 30'000;

/// Of a run, wherever its file lies.
QString identity(const ImportedRun& run)
{
    return run.source.sha256 + u' ' + QString::number(run.source.run);
}

/// The imported studies of a library, read when needed and written when changed.
class Store
{
public:
    explicit Store(QString folder) : m_folder(std::move(folder)) {}

    /// What cannot be read, of a newer version or damaged, keeps its folder and gets nothing.
    Result<void> readAll(StoreOutcome& outcome)
    {
        const QDir dir(m_folder);
        for (const QString& name :
             dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks))
            if (isImportedStudy(dir.filePath(name))) {
                const QString file = dir.filePath(name) + u"/record.json"_s;
                const Result<QByteArray> bytes =
                    readFileBelow(dir.filePath(name), u"record.json"_s, kMostFileBytes);
                if (!bytes)
                    return bytes.failure();
                const Result<ImportedStudy> study = parseImportedStudy(bytes.value(), file);
                if (!study) {
                    m_unread.insert(name);
                    outcome.unread << study.failure().message;
                    continue;
                }
                for (const ImportedRun& run : study.value().runs)
                    m_where.insert(identity(run), name);
                m_studies.insert(name, study.value());
            }
        return {};
    }

    void add(const ImportedRun& imported, const QString& kind, bool replace, StoreOutcome& outcome)
    {
        const auto known = m_where.constFind(identity(imported));
        if (known != m_where.cend() && !(replace && !m_new.contains(identity(imported)))) {
            ++outcome.known;
            return;
        }
        if (known != m_where.cend()) {
            remove(known.value(), imported);
            ++outcome.updated;
        } else {
            ++outcome.stored;
        }
        ImportedRun run = imported;
        ImportedStudy empty = studyFor(run, kind);
        for (int n = 2; m_unread.contains(empty.id); ++n)
            empty.id = u"%1-%2"_s.arg(studyFor(run, kind).id).arg(n);
        ImportedStudy& study =
            m_studies.contains(empty.id) ? m_studies[empty.id] : *m_studies.insert(empty.id, empty);
        run.importedMs = QDateTime::currentMSecsSinceEpoch();
        run.runId = freeRunId(run, study);
        study.runs << run;
        m_where.insert(identity(run), study.id);
        m_new.insert(identity(run));
        m_changed.insert(study.id);
    }

    /// One that cannot be kept does not keep the others from being written.
    Result<void> writeChanged(Library& library, StoreOutcome& outcome)
    {
        QStringList ids(m_changed.begin(), m_changed.end());
        ids.sort();
        Result<void> all;
        for (const QString& id : ids)
            if (Result<void> written = write(id, library, outcome); !written && all)
                all = written;
        return all;
    }

private:
    Result<void> write(const QString& id, Library& library, StoreOutcome& outcome)
    {
        const QString dir = m_folder + u'/' + id;
        const ImportedStudy& study = m_studies[id];
        if (study.runs.isEmpty()) {
            QFile::remove(dir + u"/record.json"_s);
            QDir().rmdir(dir);
            return {};
        }
        const QByteArray bytes = bytesOf(study);
        if (bytes.size() > kMostFileBytes)
            return Failure{u"file_too_large"_s,
                           Launcher::tr("%1 would grow beyond %2 MiB. Import into another library.")
                               .arg(dir)
                               .arg(kMostFileBytes >> 20)};
        // What the program could not read again must not take the place of what it can.
        if (const Result<ImportedStudy> read = parseImportedStudy(bytes, id); !read)
            return refusal(study, read.failure());
        if (Result<void> made = makeFolder(dir); !made)
            return made;
        if (Result<void> written = writeFileAtomically(dir + u"/record.json"_s, bytes); !written)
            return written;
        if (Result<void> listed = library.updateIndex(dir); !listed)
            return listed;
        outcome.studies << id;
        return {};
    }

    static QByteArray bytesOf(const ImportedStudy& study)
    {
        return QJsonDocument(toJson(study)).toJson(QJsonDocument::Compact) + '\n';
    }

    /// Names the file of the run that cannot be kept; `whole`: what is wrong with the study.
    Failure refusal(const ImportedStudy& study, const Failure& whole) const
    {
        QString why = whole.message;
        for (const ImportedRun& run : study.runs) {
            ImportedStudy alone = study;
            alone.runs = {run};
            const Result<ImportedStudy> read = parseImportedStudy(bytesOf(alone), run.source.path);
            if (!read) {
                why = read.failure().message;
                break;
            }
        }
        return {u"import_refused"_s,
                Launcher::tr("%1 Nothing was stored in the study %2, which is as it was; import "
                             "the other files without this one.")
                    .arg(why, study.id)};
    }

    void remove(const QString& id, const ImportedRun& run)
    {
        m_studies[id].runs.removeIf(
            [&run](const ImportedRun& other) { return identity(other) == identity(run); });
        m_runIds.remove(id);
        m_changed.insert(id);
    }

    QString freeRunId(const ImportedRun& run, const ImportedStudy& study)
    {
        QSet<QString>& used = m_runIds[study.id];
        if (used.isEmpty())
            for (const ImportedRun& other : study.runs)
                used.insert(other.runId);
        const QString file = QFileInfo(run.source.path).completeBaseName();
        QString base = folderName(run.system.isEmpty() ? file : run.system + u'-' + file);
        if (run.source.run > 1)
            base += u"-run%1"_s.arg(run.source.run);
        QString id = base;
        for (int n = 2; used.contains(id); ++n)
            id = u"%1-%2"_s.arg(base).arg(n);
        used.insert(id);
        return id;
    }

    QString m_folder;
    QMap<QString, ImportedStudy> m_studies;
    QHash<QString, QString> m_where; ///< study of each run by its identity
    QHash<QString, QSet<QString>> m_runIds;
    QSet<QString> m_new, m_changed, m_unread;
};

} // namespace

QString folderName(const QString& text)
{
    QString name;
    for (const QChar c : text.toLower().left(120)) {
        const bool plain = (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || c == u'.' ||
                           c == u'_' || c == u'-';
        if (plain)
            name += c;
        else if (!name.endsWith(u'-'))
            name += u'-';
    }
    while (!name.isEmpty() &&
           (name.startsWith(u'-') || name.startsWith(u'.') || name.startsWith(u'_')))
        name.remove(0, 1);
    while (name.endsWith(u'-'))
        name.chop(1);
    return name.isEmpty() ? u"x"_s : name;
}

ImportedStudy studyFor(const ImportedRun& run, const QString& kind)
{
    ImportedStudy study;
    study.kind = kind;
    if (kind != "mlperf_log"_L1) {
        study.id = folderName(kind + u'-' + run.title);
        study.name = u"%1 (%2)"_s.arg(run.title, originTitle(kind));
        return study;
    }
    const QString submitter = run.submitter.isEmpty() ? u"unknown"_s : run.submitter;
    study.id = folderName(u"mlperf-%1-%2-%3"_s.arg(run.round, submitter, run.benchmark));
    study.name = u"%1: %2, MLPerf %3"_s.arg(submitter, run.title, run.round);
    // Of what scale they are is not known, so they may not stand between the others.
    if (run.workers() == 0) {
        study.id += u"-scale-unknown"_s;
        study.name += u", number of accelerators not known"_s;
    }
    return study;
}

QStringList storedReferences(const QString& libraryDir, const QString& kind)
{
    QStringList files;
    const QDir dir(libraryDir + u"/imported/references"_s);
    for (const QString& name : dir.entryList(QDir::Files | QDir::NoSymLinks, QDir::Name))
        if (kind.isEmpty() || name.startsWith(kind + u'-'))
            files << dir.filePath(name);
    return files;
}

QString referenceName(const QString& path)
{
    static const QRegularExpression kStored(u"^[a-z_]+-[0-9a-f]{16}-(?=.)"_s);
    return QFileInfo(path).fileName().remove(kStored);
}

/// Keeps the file itself: it is small, and its reader is its only parser. The checksum in its name
/// makes it the same at the second time.
static Result<void> storeReference(const QString& folder, const ImportedFile& file,
                                   StoreOutcome& outcome)
{
    const QFileInfo info(file.path);
    const QString kind = file.isChart ? u"chart"_s : file.kind;
    const QString name = u"%1-%2-%3.%4"_s.arg(kind, file.sha256.left(16),
                                              folderName(info.completeBaseName()).left(80),
                                              folderName(info.suffix()));
    const QString path = folder + u"/references/"_s + name;
    if (QFileInfo::exists(path)) {
        ++outcome.knownReferences;
        return {};
    }
    const Result<QByteArray> bytes = readFile(file.path);
    if (!bytes)
        return bytes.failure();
    if (Result<void> made = makeFolder(folder + u"/references"_s); !made)
        return made;
    ++outcome.references;
    return writeFileAtomically(path, bytes.value());
}

Result<void> writeOriginNotice(const Study& study, const QString& dir)
{
    QString notice;
    if (!publishedFigureOf(study).isEmpty())
        notice = publishedNotice();
    else if (!study.runs.isEmpty() && study.runs.first().origin == originTitle(u"mlperf_log"_s))
        notice = originNotice(u"mlperf_log"_s);
    if (notice.isEmpty())
        return {};
    return writeFileAtomically(dir + u"/notice.txt"_s, notice.toUtf8() + '\n');
}

Result<StoreOutcome> storeImports(Library& library, const ImportReport& report, bool replace)
{
    const QString folder = library.dir() + u"/imported"_s;
    if (const Result<void> may = library.mayWrite(); !may)
        return may.failure();
    if (Result<void> made = makeFolder(folder); !made)
        return made.failure();
    FileLock lock;
    const Result<void> locked = lock.take(folder + u"/import.lock"_s, kWaitForOthersMs);
    if (!locked && locked.failure().code == "locked"_L1)
        return Failure{u"library_busy"_s,
                       Launcher::tr("Another import into %1 has not ended. Try again when it has.")
                           .arg(library.dir())};
    if (!locked)
        return locked.failure();
    Store store(folder);
    StoreOutcome outcome;
    if (Result<void> read = store.readAll(outcome); !read)
        return read.failure();
    for (const ImportedFile& file : report.files)
        for (const ImportedRun& run : file.runs)
            store.add(run, file.kind, replace, outcome);
    for (const ImportedFile& file : report.files)
        if (file.isKept())
            if (Result<void> kept = storeReference(folder, file, outcome); !kept)
                return kept.failure();
    if (Result<void> written = store.writeChanged(library, outcome); !written)
        return written.failure();
    return outcome;
}

} // namespace scalebench::imports
