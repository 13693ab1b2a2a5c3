// SPDX-License-Identifier: GPL-3.0-or-later
#include "import_json.h"

#include "base/json_fields.h"

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;
using namespace scalebench::imports;

namespace {

QJsonObject runJson(const ImportedRun& run)
{
    QJsonArray evals;
    for (const EvalPoint& p : run.evals)
        evals << QJsonArray{p.epoch, p.seconds, p.value / run.qualityScale};
    return {{u"benchmark"_s, run.benchmark},
            {u"title"_s, run.title},
            {u"version"_s, run.round},
            {u"version_from"_s, run.roundFrom},
            {u"submitter"_s, run.submitter},
            {u"division"_s, run.division},
            {u"system"_s, run.system},
            {u"accelerator"_s, run.accelerator},
            {u"nodes"_s, orNullIfZero(double(run.nodes))},
            {u"accelerators"_s, orNullIfZero(double(run.accelerators))},
            {u"accelerators_from"_s, run.acceleratorsFrom},
            {u"processors"_s, orNullIfZero(double(run.processors))},
            {u"global_batch"_s, orNullIfZero(double(run.globalBatch))},
            {u"batch_unit"_s, run.batchUnit},
            {u"evaluations"_s, int(run.evals.size())},
            {u"last_quality"_s, orNull(run.lastQuality())},
            {u"target"_s, run.target ? QJsonValue(*run.target / run.qualityScale) : QJsonValue()},
            {u"epochs"_s, orNull(run.epochs)},
            {u"epochs_unit"_s, run.epochUnit},
            {u"converged"_s, run.converged},
            {u"minutes"_s, orNull(run.minutes())},
            {u"reason"_s, run.failure.message},
            {u"remarks"_s, QJsonArray::fromStringList(run.remarks)},
            {u"curve"_s, evals}};
}

QJsonArray referencesJson(const QList<ReferencePoint>& points)
{
    QJsonArray list;
    for (const ReferencePoint& p : points)
        list << QJsonObject{{u"name"_s, p.name},
                            {u"benchmark"_s, p.benchmark},
                            {u"global_batch"_s, p.globalBatch},
                            {u"runs"_s, int(p.values.size())},
                            {u"unit"_s, p.unit},
                            {u"mean"_s, p.mean()},
                            {u"deviation"_s, p.deviation()}};
    return list;
}

QJsonValue timeJson(const std::optional<CollectiveTime>& time)
{
    if (!time)
        return QJsonValue::Null;
    return QJsonObject{{u"time_us"_s, time->microseconds},
                       {u"algorithm_gb_s"_s, time->algorithmGBs},
                       {u"bus_gb_s"_s, time->busGBs},
                       {u"wrong"_s, orNull(time->wrong)}};
}

QJsonObject collectivesJson(const CollectiveTable& table)
{
    QJsonArray rows;
    for (const CollectiveRow& row : table.rows)
        rows << QJsonObject{{u"bytes"_s, row.bytes},
                            {u"type"_s, row.type},
                            {u"operation"_s, row.operation},
                            {u"out_of_place"_s, timeJson(row.outOfPlace)},
                            {u"in_place"_s, timeJson(row.inPlace)}};
    return {{u"collective"_s, table.collective},
            {u"device"_s, table.device},
            {u"ranks"_s, orNullIfZero(table.ranks)},
            {u"hosts"_s, orNullIfZero(table.hosts)},
            {u"average_bus_gb_s"_s, orNull(table.averageBusGBs)},
            {u"rows"_s, rows}};
}

QJsonObject fileJson(const ImportedFile& file)
{
    QJsonArray runs, defects;
    for (const ImportedRun& run : file.runs)
        runs << runJson(run);
    for (const LogDefect& defect : file.defects)
        defects << QJsonObject{{u"line"_s, defect.line}, {u"text"_s, defect.text}};
    QJsonObject object{{u"path"_s, file.path}, {u"outcome"_s, outcomeName(file.outcome)}};
    if (file.outcome == FileOutcome::Skipped) {
        object.insert(u"reason"_s, file.reason);
        return object;
    }
    object.insert(u"kind"_s, file.kind);
    object.insert(u"sha256"_s, file.sha256);
    object.insert(u"records"_s, file.records);
    object.insert(u"doubled_lines"_s, file.doubled);
    object.insert(u"defect_count"_s, file.defectCount);
    object.insert(u"defects"_s, defects);
    object.insert(u"runs"_s, runs);
    if (!file.references.isEmpty())
        object.insert(u"references"_s, referencesJson(file.references));
    if (file.collectives)
        object.insert(u"collectives"_s, collectivesJson(*file.collectives));
    return object;
}

QJsonObject scoreJson(const MlperfScore& score)
{
    return {{u"version"_s, score.round},
            {u"submitter"_s, score.submitter},
            {u"system"_s, score.system},
            {u"benchmark"_s, score.benchmark},
            {u"accelerators"_s, orNullIfZero(score.accelerators)},
            {u"runs"_s, score.runs},
            {u"converged"_s, score.converged},
            {u"scaling"_s, score.scaling},
            {u"minutes"_s, orNull(score.minutes)}};
}

} // namespace

QJsonObject reportJson(const ImportReport& report, const std::optional<StoreOutcome>& stored)
{
    QJsonArray files, scores;
    QJsonObject skipped;
    for (const ImportedFile& file : report.files)
        files << fileJson(file);
    for (const MlperfScore& score : mlperfScores(report))
        scores << scoreJson(score);
    for (auto it = report.skipped.begin(); it != report.skipped.end(); ++it)
        skipped.insert(it.key(), it.value());
    QJsonObject object{{u"files"_s, files},
                       {u"scores"_s, scores},
                       {u"counts"_s, QJsonObject{{u"read"_s, report.read()},
                                                 {u"converged"_s, report.converged},
                                                 {u"not_converged"_s, report.notConverged},
                                                 {u"damaged"_s, report.damaged},
                                                 {u"references"_s, report.references},
                                                 {u"skipped"_s, report.skippedCount()}}},
                       {u"skipped"_s, skipped},
                       {u"bytes"_s, report.bytes},
                       {u"cancelled"_s, report.cancelled}};
    if (stored)
        object.insert(u"library"_s,
                      QJsonObject{{u"stored"_s, stored->stored},
                                  {u"updated"_s, stored->updated},
                                  {u"references"_s, stored->references},
                                  {u"known"_s, stored->known + stored->knownReferences},
                                  {u"unread"_s, QJsonArray::fromStringList(stored->unread)},
                                  {u"studies"_s, QJsonArray::fromStringList(stored->studies)}});
    return object;
}

QJsonObject withBundles(QJsonObject report, const QJsonArray& bundles)
{
    if (!bundles.isEmpty())
        report.insert(u"bundles"_s, bundles);
    return report;
}

} // namespace scalebench::cli
