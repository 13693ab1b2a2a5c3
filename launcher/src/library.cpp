// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/library.h"

#include "file_io.h"
#include "import/imported_study.h"
#include "launcher/run_series.h"
#include "machines/host_names.h"
#include "own_studies.h"
#include "process_tree.h"
#include "run_status.h"
#include "study_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QMutex>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStandardPaths>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kSchemaVersion = 4;
static constexpr qint64 kLeastFreeBytes = 16 << 20;
static const char* const kSchema[] = {
    "CREATE TABLE IF NOT EXISTS studies (dir TEXT PRIMARY KEY, id TEXT, name TEXT, workload TEXT, "
    "scale TEXT, created_ms INTEGER, runs INTEGER, finished_runs INTEGER, origin TEXT)",
    "CREATE TABLE IF NOT EXISTS runs (run_dir TEXT PRIMARY KEY, study_dir TEXT, study_id TEXT, "
    "run_id TEXT, position INTEGER, workload TEXT, scale TEXT, device TEXT, precision TEXT, "
    "nodes INTEGER, workers INTEGER, global_batch INTEGER, repeat INTEGER, seed INTEGER, state "
    "TEXT, "
    "quality REAL, target REAL, epochs REAL, time_to_train_s REAL, samples_per_s REAL, "
    "created_ms INTEGER, variant TEXT, marks TEXT)",
    "CREATE INDEX IF NOT EXISTS runs_of_study ON runs (study_dir)"};

static Failure sqlFailure(const QString& what, const QSqlError& error)
{
    const QString code = error.nativeErrorCode();
    const QString text = error.text();
    if (code == "13"_L1) // SQLITE_FULL
        return {u"disk_full"_s,
                u"%1 could not be written: the disk is full. Free some space."_s.arg(what), text};
    if (code == "8"_L1 || code == "14"_L1 || code == "1544"_L1) // READONLY, CANTOPEN
        return {
            u"not_writable"_s,
            u"%1 could not be written. Choose another library folder or change its rights."_s.arg(
                what),
            text};
    return {u"index_failed"_s, u"The index of the library, %1, could not be used (%2). "
                               u"\"scalebench results rebuild\" makes it "
                               "anew."_s.arg(what, text)};
}

struct Library::Private {
    QString dir;
    QString connectionPrefix;
    QMutex mutex;
    QStringList connections;

    ~Private()
    {
        for (const QString& name : connections)
            QSqlDatabase::removeDatabase(name);
    }

    QString indexPath() const { return dir + u"/index.sqlite"_s; }
    QString externalPath() const { return dir + u"/external_studies.txt"_s; }

    /// A connection of the calling thread: Qt's may not be shared.
    Result<QSqlDatabase> database()
    {
        const QString name =
            connectionPrefix + QString::number(quintptr(QThread::currentThreadId()));
        if (QSqlDatabase::contains(name))
            return QSqlDatabase::database(name);
        QSqlDatabase db = QSqlDatabase::addDatabase(u"QSQLITE"_s, name);
        {
            QMutexLocker lock(&mutex);
            connections << name;
        }
        db.setDatabaseName(indexPath());
        db.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=10000"_s);
        if (!db.open())
            return sqlFailure(indexPath(), db.lastError());
        QSqlQuery query(db);
        if (!query.exec(u"PRAGMA journal_mode=WAL"_s) ||
            !query.exec(u"PRAGMA synchronous=NORMAL"_s))
            return sqlFailure(indexPath(), query.lastError());
        return db;
    }

    Result<void> makeSchema()
    {
        Result<QSqlDatabase> db = database();
        if (!db)
            return db.failure();
        QSqlQuery query(db.value());
        int version = 0;
        if (query.exec(u"PRAGMA user_version"_s) && query.next())
            version = query.value(0).toInt();
        query.finish();
        if (version == kSchemaVersion)
            return {};
        for (const char* table : {"runs", "studies"})
            if (!query.exec(u"DROP TABLE IF EXISTS %1"_s.arg(QLatin1StringView(table))))
                return sqlFailure(indexPath(), query.lastError());
        for (const char* statement : kSchema)
            if (!query.exec(QString::fromLatin1(statement)))
                return sqlFailure(indexPath(), query.lastError());
        if (!query.exec(u"PRAGMA user_version=%1"_s.arg(kSchemaVersion)))
            return sqlFailure(indexPath(), query.lastError());
        return {};
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
        QFile external(externalPath());
        if (external.open(QIODevice::ReadOnly))
            for (const QByteArray& line : external.readAll().split('\n'))
                if (const QString path = QString::fromUtf8(line);
                    !path.isEmpty() && QFileInfo::exists(path + u"/study.json"_s))
                    dirs << path;
        dirs.removeDuplicates();
        return dirs;
    }

    Result<void> rememberExternal(const QString& studyDir)
    {
        const QString inside = QDir(dir + u"/studies"_s).absolutePath() + u'/';
        if (studyDir.startsWith(inside))
            return {};
        QFile external(externalPath());
        if (external.open(QIODevice::ReadOnly) &&
            external.readAll().split('\n').contains(studyDir.toUtf8()))
            return {};
        external.close();
        // One short O_APPEND write: two programs may add at the same time.
        if (!external.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered) ||
            external.write(studyDir.toUtf8() + '\n') < 0)
            return Failure{u"not_writable"_s, u"%1 could not be written: %2."_s.arg(
                                                  externalPath(), external.errorString())};
        return {};
    }

    Result<void> store(const Study& study)
    {
        Result<QSqlDatabase> opened = database();
        if (!opened)
            return opened.failure();
        QSqlDatabase db = opened.value();
        QSqlQuery query(db);
        if (!query.exec(u"BEGIN IMMEDIATE"_s))
            return sqlFailure(indexPath(), query.lastError());
        const Result<void> stored = storeRows(query, study);
        if (!stored) {
            query.exec(u"ROLLBACK"_s);
            return stored;
        }
        if (!query.exec(u"COMMIT"_s))
            return sqlFailure(indexPath(), query.lastError());
        return {};
    }

    Result<void> storeRows(QSqlQuery& query, const Study& study)
    {
        const auto run = [&](const QString& sql, const QVariantList& values) -> Result<void> {
            query.prepare(sql);
            for (const QVariant& value : values)
                query.addBindValue(value);
            if (!query.exec())
                return sqlFailure(indexPath(), query.lastError());
            return {};
        };
        if (Result<void> r = run(u"DELETE FROM runs WHERE study_dir=?"_s, {study.dir}); !r)
            return r;
        const auto finished = std::count_if(study.runs.begin(), study.runs.end(),
                                            [](const RunRecord& r) { return isFinal(r.state); });
        const qint64 created = study.runs.isEmpty() ? 0 : study.runs.first().createdMs;
        if (Result<void> r =
                run(u"INSERT OR REPLACE INTO studies VALUES (?,?,?,?,?,?,?,?,?)"_s,
                    {study.dir, study.id, study.spec.name, study.spec.workloadIds().join(u", "_s),
                     study.spec.scale, created, qint64(study.runs.size()), qint64(finished),
                     study.runs.isEmpty() ? QString() : study.runs.first().origin});
            !r)
            return r;
        int position = 0;
        const RunSeries series(study.runs);
        for (const RunRecord& record : study.runs) {
            const RunConfig& c = record.config;
            if (Result<void> r = run(
                    u"INSERT OR REPLACE INTO runs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"_s,
                    {record.runDir,
                     study.dir,
                     study.id,
                     c.runId,
                     position,
                     c.workload,
                     c.scale,
                     c.device,
                     c.precision,
                     c.nodes,
                     c.workers,
                     c.globalBatch,
                     c.repeat,
                     qint64(c.seed),
                     runStateName(record.state),
                     record.bestQuality(),
                     c.target.value_or(-1),
                     record.epochsToTarget(),
                     record.timeToTrainS(),
                     record.throughput,
                     record.createdMs,
                     series.variant(series.seriesOf(position)),
                     runMarks(record).join(u", "_s)});
                !r)
                return r;
            ++position;
        }
        return {};
    }

    Result<void> forget(const QString& studyDir)
    {
        Result<QSqlDatabase> db = database();
        if (!db)
            return db.failure();
        QSqlQuery query(db.value());
        for (const char* table : {"runs WHERE study_dir", "studies WHERE dir"}) {
            query.prepare(u"DELETE FROM %1=?"_s.arg(QLatin1StringView(table)));
            query.addBindValue(studyDir);
            if (!query.exec())
                return sqlFailure(indexPath(), query.lastError());
        }
        return {};
    }

    /// Brings the index up to date with the folders: new and vanished ones, and unfinished studies.
    Result<void> refresh(Library& library)
    {
        Result<QSqlDatabase> db = database();
        if (!db)
            return db.failure();
        QStringList known, unfinished;
        {
            QSqlQuery query(db.value());
            if (!query.exec(u"SELECT dir, runs, finished_runs FROM studies"_s))
                return sqlFailure(indexPath(), query.lastError());
            while (query.next()) {
                known << query.value(0).toString();
                if (query.value(1).toInt() != query.value(2).toInt())
                    unfinished << known.last();
            }
        }
        const QStringList present = studyDirs();
        for (const QString& studyDir : known)
            if (!present.contains(studyDir))
                if (Result<void> r = forget(studyDir); !r)
                    return r;
        for (const QString& studyDir : present)
            if (!known.contains(studyDir) || unfinished.contains(studyDir))
                if (Result<void> r = library.updateIndex(studyDir);
                    !r &&
                    (r.failure().code == "not_writable"_L1 || r.failure().code == "disk_full"_L1))
                    return r; // a damaged study is left out, the others are listed
        return {};
    }
};

Library::Library(std::unique_ptr<Private> priv) : d(std::move(priv)) {}

Library::~Library() = default;

QString Library::defaultDir()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/scalebench"_s;
}

Result<std::shared_ptr<Library>> Library::open(const QString& dir)
{
    auto priv = std::make_unique<Private>();
    priv->dir = QFileInfo(dir.isEmpty() ? defaultDir() : dir).absoluteFilePath();
    static std::atomic<int> counter = 0;
    priv->connectionPrefix = u"scalebench-%1-"_s.arg(++counter);
    if (Result<void> made = makeFolder(priv->dir + u"/studies"_s); !made)
        return made.failure();
    if (::access(QFile::encodeName(priv->dir).constData(), W_OK | X_OK) != 0)
        return writeFailure(priv->dir, EACCES);
    Result<void> schema = priv->makeSchema();
    if (!schema && schema.failure().code == "index_failed"_L1) {
        // A damaged index is no loss: the folders are the truth.
        for (const QString& name : std::exchange(priv->connections, {}))
            QSqlDatabase::removeDatabase(name);
        for (const char* suffix : {"", "-wal", "-shm"})
            QFile::remove(priv->indexPath() + QLatin1StringView(suffix));
        schema = priv->makeSchema();
    }
    if (!schema)
        return schema.failure();
    return std::shared_ptr<Library>(new Library(std::move(priv)));
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
    const QString base = u"%1-%2-%3"_s.arg(
        workloads.size() > 2 ? u"%1-workloads"_s.arg(workloads.size()) : workloads.join(u'+'),
        spec.scale, QDateTime::currentDateTime().toString(u"yyyyMMdd-HHmmss"_s));
    QString id = base;
    for (int n = 2; QFileInfo::exists(d->dir + u"/studies/"_s + id); ++n)
        id = u"%1-%2"_s.arg(base).arg(n);
    return id;
}

static Result<void> writeRunFolder(const QString& runDir, const RunConfig& run, qint64 nowMs)
{
    if (Result<void> r = makeFolder(runDir); !r)
        return r;
    if (Result<void> r = writeJsonAtomically(runDir + u"/run.json"_s, run.json); !r)
        return r;
    RunStatus status;
    status.createdMs = nowMs;
    return writeRunStatus(runDir, status);
}

Result<Study> Library::createStudy(const StudySpec& spec, const QList<RunConfig>& runs,
                                   const QString& studyId, const QString& outDir,
                                   const TargetMachine& machine)
{
    // Lists of studies have one a line.
    if (hasControlCharacters(outDir))
        return Failure{u"path_invalid"_s,
                       u"The folder \"%1\" holds a line break or another control character. Choose "
                       "another name."_s.arg(printable(outDir))};
    const QString studyDir =
        outDir.isEmpty() ? d->dir + u"/studies/"_s + studyId : QFileInfo(outDir).absoluteFilePath();
    if (QFileInfo::exists(studyDir + u"/study.json"_s))
        return Failure{
            u"study_exists"_s,
            u"%1 already holds a study. Choose another folder; \"scalebench results show %1\" "
            "shows what is there."_s.arg(studyDir)};
    if (QDir(studyDir).exists() && !QDir(studyDir).isEmpty(QDir::AllEntries | QDir::Hidden |
                                                           QDir::System | QDir::NoDotAndDotDot))
        return Failure{
            u"folder_not_empty"_s,
            u"%1 is not empty. Choose a new or an empty folder for the results."_s.arg(studyDir)};
    if (Result<void> r = makeFolder(studyDir + u"/runs"_s); !r)
        return r.failure();
    if (const qint64 free = freeBytesAt(studyDir); free >= 0 && free < kLeastFreeBytes)
        return Failure{u"disk_full"_s, u"%1 has only %2 MB left; a study needs at least %3 MB. "
                                       u"Free some space or choose another "
                                       "folder."_s.arg(studyDir)
                                           .arg(free >> 20)
                                           .arg(kLeastFreeBytes >> 20)};
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QJsonArray plan;
    for (const RunConfig& run : runs) {
        if (Result<void> r = writeRunFolder(runDirOf(studyDir, run.runId), run, now); !r)
            return r.failure();
        plan << run.runId;
    }
    if (Result<void> r = writeJsonAtomically(
            studyDir + u"/plan.json"_s,
            {{u"format"_s, u"scalebench.plan"_s}, {u"version"_s, 1}, {u"runs"_s, plan}});
        !r)
        return r.failure();
    const bool plainLocal = machine.kind == TargetMachine::Kind::Local &&
                            machine.environment.isEmpty() && machine.nccl.isEmpty() &&
                            machine.ucx.isEmpty();
    if (!plainLocal)
        if (Result<void> r = writeStudyMachine(studyDir, machine); !r)
            return r.failure();
    // Last: a folder with study.json is a whole study.
    if (Result<void> r = writeJsonAtomically(studyDir + u"/study.json"_s, spec.toJson()); !r)
        return r.failure();
    rememberOwnStudy(studyDir);
    if (Result<void> r = d->rememberExternal(studyDir); !r)
        return r.failure();
    if (Result<void> r = updateIndex(studyDir); !r)
        return r.failure();
    return loadStudyHead(studyDir);
}

Result<void> Library::updateIndex(const QString& studyDir)
{
    const Result<Study> study = loadStudy(QFileInfo(studyDir).absoluteFilePath());
    if (!study)
        return study.failure();
    return d->store(study.value());
}

Result<QList<StudySummary>> Library::studies()
{
    if (Result<void> r = d->refresh(*this); !r)
        return r.failure();
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    QSqlQuery query(db.value());
    if (!query.exec(u"SELECT dir, id, name, workload, scale, created_ms, runs, finished_runs, "
                    "origin FROM studies "
                    "ORDER BY created_ms DESC, id DESC"_s))
        return sqlFailure(d->indexPath(), query.lastError());
    QList<StudySummary> list;
    while (query.next()) {
        StudySummary s;
        s.dir = query.value(0).toString();
        s.id = query.value(1).toString();
        s.name = query.value(2).toString();
        s.workload = query.value(3).toString();
        s.scale = query.value(4).toString();
        s.createdMs = query.value(5).toLongLong();
        s.runs = query.value(6).toInt();
        s.finishedRuns = query.value(7).toInt();
        s.origin = query.value(8).toString();
        s.active = s.origin.isEmpty() && (s.finishedRuns < s.runs || lockHolder(s.dir).has_value());
        list << s;
    }
    return list;
}

Result<QList<RunSummary>> Library::runs(const QString& studyId)
{
    if (Result<void> r = d->refresh(*this); !r)
        return r.failure();
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    QSqlQuery query(db.value());
    query.prepare(
        u"SELECT study_id, run_id, run_dir, workload, scale, device, precision, nodes, workers, "
        "global_batch, repeat, seed, state, quality, target, epochs, time_to_train_s, "
        "samples_per_s, created_ms, variant, marks FROM runs %1 ORDER BY created_ms DESC, study_dir, position"_s
            .arg(studyId.isEmpty() ? QString() : u"WHERE study_id=?"_s));
    if (!studyId.isEmpty())
        query.addBindValue(studyId);
    if (!query.exec())
        return sqlFailure(d->indexPath(), query.lastError());
    QList<RunSummary> list;
    while (query.next()) {
        RunSummary r;
        int column = 0;
        const auto next = [&] { return query.value(column++); };
        r.studyId = next().toString();
        r.runId = next().toString();
        r.runDir = next().toString();
        r.workload = next().toString();
        r.scale = next().toString();
        r.device = next().toString();
        r.precision = next().toString();
        r.nodes = next().toInt();
        r.workers = next().toInt();
        r.globalBatch = next().toInt();
        r.repeat = next().toInt();
        r.seed = quint64(next().toLongLong());
        r.state = runStateFromName(next().toString());
        r.quality = next().toDouble();
        r.target = next().toDouble();
        r.epochs = next().toDouble();
        r.timeToTrainS = next().toDouble();
        r.samplesPerSecond = next().toDouble();
        r.createdMs = next().toLongLong();
        r.variant = next().toString();
        r.marks = next().toString();
        list << r;
    }
    return list;
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
            return Failure{u"no_studies"_s, u"The library %1 has no study yet."_s.arg(d->dir)};
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
            u"There is no study \"%1\" in %2. \"scalebench results list\" shows all."_s.arg(
                idOrDir, d->dir)};
    return Failure{u"study_ambiguous"_s,
                   u"\"%1\" could be any of %2 studies. Give more of the id."_s.arg(idOrDir).arg(
                       matches.size())};
}

Result<int> Library::rebuild()
{
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    {
        QSqlQuery query(db.value());
        for (const char* table : {"runs", "studies"})
            if (!query.exec(u"DELETE FROM %1"_s.arg(QLatin1StringView(table))))
                return sqlFailure(d->indexPath(), query.lastError());
    }
    int found = 0;
    for (const QString& studyDir : d->studyDirs()) {
        const Result<void> stored = updateIndex(studyDir);
        if (stored)
            ++found;
        else if (stored.failure().code == "disk_full"_L1 ||
                 stored.failure().code == "not_writable"_L1)
            return stored.failure();
        else
            qWarning("%s", qPrintable(stored.failure().message));
    }
    return found;
}

} // namespace scalebench
