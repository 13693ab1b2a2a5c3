// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/study_index.h"

#include "base/file_io.h"
#include "base/translated.h"
#include "library/study_index_rows.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

#include <sys/stat.h>

namespace scalebench {
using namespace Qt::Literals::StringLiterals;
static constexpr int kSchemaVersion = 9;
static const char* const kSchema[] = {
    "CREATE TABLE IF NOT EXISTS studies (dir TEXT PRIMARY KEY, id TEXT, name TEXT, workload TEXT, "
    "scale TEXT, created_ms INTEGER, runs INTEGER, finished_runs INTEGER, origin TEXT, held TEXT)",
    "CREATE TABLE IF NOT EXISTS runs (run_dir TEXT PRIMARY KEY, study_dir TEXT, study_id TEXT, "
    "run_id TEXT, position INTEGER, workload TEXT, scale TEXT, device TEXT, precision TEXT, "
    "nodes INTEGER, workers INTEGER, global_batch INTEGER, repeat INTEGER, seed INTEGER, "
    "state TEXT, quality REAL, target REAL, epochs REAL, time_to_train_s REAL, "
    "samples_per_s REAL, created_ms INTEGER, variant TEXT, marks TEXT, machine TEXT, "
    "energy_j REAL, disturbed INTEGER)",
    "CREATE INDEX IF NOT EXISTS runs_of_study ON runs (study_dir)"};

Failure sqlFailure(const QString& what, const QSqlError& error)
{
    const QString code = error.nativeErrorCode();
    const QString text = error.text();
    const int primary = code.toInt() & 0xff;
    constexpr int kFull = 13, kIoError = 10; // what SQLite says of its files beside the table
    constexpr qint64 kLeastBytes = 64 << 10;
    if (primary == kFull || (primary == kIoError &&
                             QStorageInfo(QFileInfo(what).path()).bytesAvailable() < kLeastBytes))
        return {
            u"disk_full"_s,
            Launcher::tr("%1 could not be written: the disk is full. Free some space.").arg(what),
            text};
    if (primary == 8 || primary == 14) // READONLY, CANTOPEN
        return {u"not_writable"_s,
                Launcher::tr(
                    "%1 could not be written. Choose another library folder or change its rights.")
                    .arg(what),
                text};
    const bool damaged = primary == 11 || primary == 26; // CORRUPT, NOTADB
    return {damaged ? kIndexDamaged : u"index_failed"_s,
            Launcher::tr("The index of the library, %1, could not be used (%2). \"scalebench "
                         "results rebuild\" makes it anew.")
                .arg(what, text)};
}

QSqlError rowsMissing()
{
    return {{}, u"rows are missing"_s, QSqlError::StatementError, u"11"_s};
}

/// Imported runs tell their system as the first worker's device.
static QString machineOf(const Study& study, const RunRecord& run)
{
    if (!study.spec.machine.isEmpty() && run.origin.isEmpty())
        return study.spec.machine;
    return run.workers.isEmpty() ? QString() : run.workers.first().deviceName;
}

Result<QSqlDatabase> StudyIndex::Private::database()
{
    const QString name = connectionPrefix + QString::number(quintptr(QThread::currentThreadId()));
    if (QSqlDatabase::contains(name))
        return QSqlDatabase::database(name);
    QSqlDatabase db = QSqlDatabase::addDatabase(u"QSQLITE"_s, name);
    {
        QMutexLocker lock(&mutex);
        connections << name;
    }
    db.setDatabaseName(path);
    db.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=10000"_s);
    if (!db.open())
        return sqlFailure(path, db.lastError());
    QSqlQuery query(db);
    if (!query.exec(u"PRAGMA journal_mode=WAL"_s) || !query.exec(u"PRAGMA synchronous=NORMAL"_s))
        return sqlFailure(path, query.lastError());
    return db;
}

Result<void> StudyIndex::Private::makeSchema()
{
    // By SQLite it would be writable for its owner alone. What lies beside it gets its rights.
    if (::mknod(QFile::encodeName(path).constData(), S_IFREG | 0666, 0) != 0 && errno != EEXIST)
        return writeFailure(path, errno);
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
            return sqlFailure(path, query.lastError());
    for (const char* statement : kSchema)
        if (!query.exec(QString::fromLatin1(statement)))
            return sqlFailure(path, query.lastError());
    if (!query.exec(u"PRAGMA user_version=%1"_s.arg(kSchemaVersion)))
        return sqlFailure(path, query.lastError());
    return {};
}

Result<void> StudyIndex::Private::storeRows(QSqlQuery& query, const Study& study,
                                            const QString& held)
{
    const EnglishText english; // windows of several languages read the same rows
    const auto run = [&](const QString& sql, const QVariantList& values) -> Result<void> {
        query.prepare(sql);
        for (const QVariant& value : values)
            query.addBindValue(value);
        if (!query.exec())
            return sqlFailure(path, query.lastError());
        return {};
    };
    if (Result<void> r = run(u"DELETE FROM runs WHERE study_dir=?"_s, {study.dir}); !r)
        return r;
    const auto finished = std::count_if(study.runs.begin(), study.runs.end(),
                                        [](const RunRecord& r) { return isFinal(r.state); });
    const auto dated = std::find_if(study.runs.begin(), study.runs.end(),
                                    [](const RunRecord& r) { return r.createdMs > 0; });
    const qint64 created = dated == study.runs.end() ? 0 : dated->createdMs;
    if (Result<void> r =
            run(u"INSERT OR REPLACE INTO studies VALUES (?,?,?,?,?,?,?,?,?,?)"_s,
                {study.dir, study.id, study.spec.name, study.spec.workloadIds().join(u", "_s),
                 study.spec.scale, created, qint64(study.runs.size()), qint64(finished),
                 study.runs.isEmpty() ? QString() : study.runs.first().origin, held});
        !r)
        return r;
    int position = 0;
    const RunSeries series(study.runs);
    for (const RunRecord& record : study.runs) {
        const RunConfig& c = record.config;
        if (Result<void> r = run(
                u"INSERT OR REPLACE INTO runs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"_s,
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
                 hasTime(record) ? record.timeToTrainS() : 0,
                 record.throughput,
                 record.createdMs,
                 series.variant(series.seriesOf(position)),
                 markKeys(record).join(u'\n'),
                 machineOf(study, record),
                 record.energyJ(),
                 markKeys(record).contains("disturbed"_L1) ? 1 : 0});
            !r)
            return r;
        ++position;
    }
    return {};
}

StudyIndex::StudyIndex(const QString& folder) : d(std::make_unique<Private>())
{
    static std::atomic<int> counter = 0;
    d->connectionPrefix = u"scalebench-%1-"_s.arg(++counter);
    d->path = folder + u"/index.sqlite"_s;
}

StudyIndex::~StudyIndex() = default;

/// SQLite writes through a link, and would take another program's tables for damaged ones of ours.
/// And what another user of the library keeps for himself would lock everybody else out; of his
/// index each part goes, as they belong together.
static Result<void> removeWhatIsOfNoUse(const QString& path)
{
    bool foreign = false;
    QStringList files;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        const QString file = path + QLatin1StringView(suffix);
        const QFileInfo info(file);
        if ((info.isSymLink() || (info.exists() && !info.isFile())) && !QFile::remove(file))
            return Failure{
                u"index_failed"_s,
                Launcher::tr("%1 is no ordinary file and could not be removed.").arg(file)};
        if (QFileInfo::exists(file))
            files << file;
        foreign = foreign || (QFileInfo::exists(file) && !mayBeWritten(file));
    }
    for (const QString& file : foreign ? files : QStringList())
        if (!QFile::remove(file))
            return writeFailure(file, EACCES);
    return {};
}

Result<void> StudyIndex::open()
{
    if (Result<void> usable = removeWhatIsOfNoUse(d->path); !usable)
        return usable;
    Result<void> schema = d->makeSchema();
    if (!schema &&
        (schema.failure().code == "index_failed"_L1 || schema.failure().code == kIndexDamaged))
        schema = renew();
    return schema;
}

Result<void> StudyIndex::renew()
{
    d->renewed = true;
    {
        QMutexLocker lock(&d->mutex);
        for (const QString& name : std::exchange(d->connections, {}))
            QSqlDatabase::removeDatabase(name);
    }
    for (const char* suffix : {"", "-wal", "-shm"})
        QFile::remove(d->path + QLatin1StringView(suffix));
    return d->makeSchema();
}

Result<void> StudyIndex::store(const Study& study, const QString& held)
{
    Result<QSqlDatabase> opened = d->database();
    if (!opened)
        return opened.failure();
    QSqlDatabase db = opened.value();
    QSqlQuery query(db);
    if (!query.exec(u"BEGIN IMMEDIATE"_s))
        return sqlFailure(d->path, query.lastError());
    const Result<void> stored = d->storeRows(query, study, held);
    if (!stored) {
        query.exec(u"ROLLBACK"_s);
        return stored;
    }
    if (!query.exec(u"COMMIT"_s))
        return sqlFailure(d->path, query.lastError());
    return {};
}

Result<void> StudyIndex::forget(const QString& studyDir)
{
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    QSqlQuery query(db.value());
    const Transaction both(query, "BEGIN IMMEDIATE");
    for (const char* table : {"runs WHERE study_dir", "studies WHERE dir"}) {
        query.prepare(u"DELETE FROM %1=?"_s.arg(QLatin1StringView(table)));
        query.addBindValue(studyDir);
        if (!query.exec())
            return sqlFailure(d->path, query.lastError());
    }
    // It was listed under a name that is not found: the table and its key differ.
    if (query.numRowsAffected() == 0 && !d->renewed)
        return sqlFailure(d->path, rowsMissing());
    return {};
}

Result<void> StudyIndex::clear()
{
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    QSqlQuery query(db.value());
    const Transaction both(query, "BEGIN IMMEDIATE");
    for (const char* table : {"runs", "studies"})
        if (!query.exec(u"DELETE FROM %1"_s.arg(QLatin1StringView(table))))
            return sqlFailure(d->path, query.lastError());
    return {};
}

} // namespace scalebench
