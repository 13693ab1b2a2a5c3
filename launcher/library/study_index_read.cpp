// SPDX-License-Identifier: GPL-3.0-or-later
// What the index tells.
#include "library/study_index_rows.h"
#include "run/study_lock.h"

#include <QHash>

#include <algorithm>
#include <numeric>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

Result<QList<IndexedStudy>> StudyIndex::indexed()
{
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    QSqlQuery query(db.value());
    if (!query.exec(u"SELECT dir, runs, finished_runs, held FROM studies"_s))
        return sqlFailure(d->path, query.lastError());
    QList<IndexedStudy> list;
    while (query.next())
        list << IndexedStudy{query.value(0).toString(),
                             query.value(1).toInt() == query.value(2).toInt(),
                             query.value(3).toString()};
    if (query.lastError().isValid()) // the rows ended early
        return sqlFailure(d->path, query.lastError());
    return list;
}

Result<QSet<QString>> StudyIndex::ids()
{
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    QSqlQuery query(db.value());
    if (!query.exec(u"SELECT id FROM studies"_s))
        return sqlFailure(d->path, query.lastError());
    QSet<QString> ids;
    while (query.next())
        ids << query.value(0).toString();
    if (query.lastError().isValid())
        return sqlFailure(d->path, query.lastError());
    return ids;
}

Result<QList<StudySummary>> StudyIndex::studies()
{
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    QSqlQuery query(db.value());
    const Transaction both(query, "BEGIN"); // a study and its runs
    if (!query.exec(u"SELECT dir, id, name, workload, scale, created_ms, runs, finished_runs, "
                    "origin FROM studies "
                    "ORDER BY created_ms DESC, id DESC"_s))
        return sqlFailure(d->path, query.lastError());
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
        s.supervised = s.origin.isEmpty() && lockHolder(s.dir).has_value();
        s.active = s.supervised || (s.origin.isEmpty() && s.finishedRuns < s.runs);
        list << s;
    }
    if (query.lastError().isValid())
        return sqlFailure(d->path, query.lastError());
    if (!query.exec(u"SELECT study_dir, state, count(*), sum(disturbed) FROM runs "
                    "GROUP BY study_dir, state"_s))
        return sqlFailure(d->path, query.lastError());
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < list.size(); ++i)
        places.insert(list[i].dir, i);
    while (query.next()) {
        const auto place = places.constFind(query.value(0).toString());
        if (place == places.constEnd())
            continue;
        StudySummary& s = list[*place];
        s.states[runStateFromName(query.value(1).toString())] += query.value(2).toInt();
        s.disturbedRuns += query.value(3).toInt();
    }
    if (query.lastError().isValid())
        return sqlFailure(d->path, query.lastError());
    // A damaged key lets a study in twice.
    const bool whole = places.size() == list.size() &&
                       std::all_of(list.begin(), list.end(), [](const StudySummary& s) {
                           return std::accumulate(s.states.begin(), s.states.end(), 0) == s.runs;
                       });
    if (!whole && !d->renewed) // which would not help a second time
        return sqlFailure(d->path, rowsMissing());
    return list;
}

Result<QList<RunSummary>> StudyIndex::runs(const QString& studyId)
{
    Result<QSqlDatabase> db = d->database();
    if (!db)
        return db.failure();
    QSqlQuery query(db.value());
    query.prepare(
        u"SELECT study_id, run_id, run_dir, runs.workload, runs.scale, device, precision, nodes, "
        "workers, global_batch, repeat, seed, state, quality, target, epochs, time_to_train_s, "
        "samples_per_s, runs.created_ms, variant, marks, machine, energy_j, name FROM runs LEFT "
        "JOIN studies "
        "ON dir = study_dir %1 ORDER BY runs.created_ms DESC, study_dir, position"_s.arg(
            studyId.isEmpty() ? QString() : u"WHERE study_id=?"_s));
    if (!studyId.isEmpty())
        query.addBindValue(studyId);
    if (!query.exec())
        return sqlFailure(d->path, query.lastError());
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
        r.marks = next().toString().split(u'\n', Qt::SkipEmptyParts);
        r.machine = next().toString();
        r.energyJ = next().toDouble();
        r.studyName = next().toString();
        list << r;
    }
    if (query.lastError().isValid())
        return sqlFailure(d->path, query.lastError());
    return list;
}

} // namespace scalebench
