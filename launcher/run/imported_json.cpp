// SPDX-License-Identifier: GPL-3.0-or-later
// An imported study as the file record.json, written and read.
#include "base/translated.h"
#include "run/imported_study.h"

#include "base/checked_names.h"
#include "base/json_fields.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSet>

#include <cmath>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kMostRuns = 20'000;
constexpr int kMostRemarks = 100;
constexpr int kMostSettings = 100;
constexpr int kMostCount = 2'000'000'000;
const QString kFormat = u"scalebench.imported"_s;

// ---- writing -----------------------------------------------------------------------------------

void put(QJsonObject& object, const QString& key, const QString& value)
{
    if (!value.isEmpty())
        object.insert(key, value);
}

void put(QJsonObject& object, const QString& key, double value)
{
    if (value != 0 && std::isfinite(value))
        object.insert(key, value);
}

void put(QJsonObject& object, const QString& key, const std::optional<double>& value)
{
    if (value && std::isfinite(*value))
        object.insert(key, *value);
}

QJsonObject metricsJson(const QList<MetricValue>& values)
{
    QJsonObject object;
    for (const MetricValue& value : values)
        object.insert(value.metric, value.value);
    return object;
}

QJsonObject settingsJson(const QMap<QString, QString>& settings)
{
    QJsonObject object;
    for (auto it = settings.begin(); it != settings.end(); ++it)
        object.insert(it.key(), it.value());
    return object;
}

QJsonArray evalsJson(const QList<EvalPoint>& evals)
{
    QJsonArray list;
    for (const EvalPoint& p : evals) {
        QJsonArray point{p.epoch, p.samples, p.seconds, p.value};
        if (!p.metrics.isEmpty())
            point << metricsJson(p.metrics);
        list << point;
    }
    return list;
}

QJsonArray stepsJson(const PointList<StepPoint>& steps)
{
    QJsonArray list;
    for (const StepPoint& p : steps)
        list << QJsonArray{p.epoch, p.step, p.seconds, p.loss, p.learningRate, p.samplesPerSecond};
    return list;
}

QJsonObject runJson(const ImportedRun& r)
{
    QJsonObject o{{u"run_id"_s, r.runId},
                  {u"source"_s, QJsonObject{{u"path"_s, r.source.path},
                                            {u"sha256"_s, r.source.sha256},
                                            {u"bytes"_s, r.source.bytes},
                                            {u"run"_s, r.source.run}}},
                  {u"imported_ms"_s, r.importedMs},
                  {u"benchmark"_s, r.benchmark},
                  {u"workload"_s, r.workload},
                  {u"converged"_s, r.converged}};
    put(o, u"title"_s, r.title);
    put(o, u"round"_s, r.round);
    put(o, u"round_from"_s, r.roundFrom);
    put(o, u"submitter"_s, r.submitter);
    put(o, u"division"_s, r.division);
    put(o, u"status"_s, r.status);
    put(o, u"system"_s, r.system);
    put(o, u"accelerator"_s, r.accelerator);
    put(o, u"framework"_s, r.framework);
    put(o, u"scale"_s, r.scale);
    put(o, u"model"_s, r.model);
    put(o, u"precision"_s, r.precision);
    put(o, u"data"_s, r.dataSource);
    put(o, u"batch_policy"_s, r.batchPolicy);
    put(o, u"threads_per_worker"_s, double(r.threads));
    put(o, u"compute_precision"_s, r.computePrecision);
    put(o, u"learning_rate"_s, r.learningRate);
    if (!r.settings.isEmpty())
        o.insert(u"settings"_s, settingsJson(r.settings));
    if (r.oversubscribed)
        o.insert(u"oversubscribed"_s, true);
    if (!r.marks.isEmpty())
        o.insert(u"marks"_s, QJsonArray::fromStringList(r.marks));
    put(o, u"nodes"_s, double(r.nodes));
    put(o, u"accelerators"_s, double(r.accelerators));
    put(o, u"processors"_s, double(r.processors));
    put(o, u"accelerators_from"_s, r.acceleratorsFrom);
    put(o, u"global_batch"_s, double(r.globalBatch));
    put(o, u"batch_unit"_s, r.batchUnit);
    if (r.seed)
        o.insert(u"seed"_s, qint64(*r.seed));
    if (r.damaged)
        o.insert(u"damaged"_s, true);
    if (!r.failure.message.isEmpty())
        o.insert(u"error"_s, QJsonObject{{u"code"_s, r.failure.code},
                                         {u"message"_s, r.failure.message},
                                         {u"details"_s, r.failure.details}});
    put(o, u"start_ms"_s, r.startMs);
    put(o, u"stop_ms"_s, r.stopMs);
    put(o, u"epochs"_s, r.epochs);
    put(o, u"epoch_unit"_s, r.epochUnit);
    put(o, u"metric"_s, r.metric);
    if (r.qualityScale != 1)
        o.insert(u"quality_scale"_s, r.qualityScale);
    put(o, u"target"_s, r.target);
    if (!r.furtherTargets.isEmpty())
        o.insert(u"further_targets"_s, metricsJson(r.furtherTargets));
    o.insert(u"evals"_s, evalsJson(r.evals));
    if (!r.steps.isEmpty())
        o.insert(u"steps"_s, stepsJson(r.steps));
    put(o, u"samples_per_s"_s, r.throughput);
    if (!r.remarks.isEmpty())
        o.insert(u"remarks"_s, QJsonArray::fromStringList(r.remarks));
    return o;
}

// ---- reading -----------------------------------------------------------------------------------

std::optional<double> optionalNumber(JsonFields& f, const QString& key)
{
    return f.has(key) ? std::optional(f.number(key, 0)) : std::nullopt;
}

QList<MetricValue> readMetrics(JsonFields& f, const QString& where, const QJsonObject& object)
{
    QList<MetricValue> values;
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (!isMetricName(it.key()) || !it.value().isDouble() || values.size() >= kMostMetrics) {
            f.fail(u"wrong_type"_s, Launcher::tr("%1: \"%2\" must be at most %3 numbers by metric.")
                                        .arg(f.fileName(), where, QString::number(kMostMetrics)));
            break;
        }
        values << MetricValue{it.key(), it.value().toDouble()};
    }
    return values;
}

/// The list of points `key`; each has at least `least` numbers.
QJsonArray pointList(JsonFields& f, const QString& key, int least)
{
    const QJsonValue list = f.object().value(key);
    if (list.isUndefined())
        return {};
    const auto wrong = [&](const QString& what) {
        f.fail(
            u"wrong_type"_s,
            Launcher::tr("%1: \"%2\" must be a list of points, %3.").arg(f.fileName(), key, what));
        return QJsonArray();
    };
    const QJsonArray points = list.toArray();
    if (!list.isArray() || points.size() > kMostRunPoints)
        return wrong(Launcher::tr("%1 at most").arg(kMostRunPoints));
    for (const QJsonValue& point : points) {
        const QJsonArray fields = point.toArray();
        for (int i = 0; i < least; ++i)
            if (!fields.at(i).isDouble() || std::abs(fields.at(i).toDouble()) > kMostStoredNumber)
                return wrong(Launcher::tr("each of %1 numbers").arg(least));
    }
    return points;
}

void readEvals(JsonFields& f, ImportedRun& r)
{
    for (const QJsonValue& value : pointList(f, u"evals"_s, 4)) {
        const QJsonArray fields = value.toArray();
        EvalPoint p;
        p.epoch = fields.at(0).toDouble();
        p.samples = fields.at(1).toInteger();
        p.seconds = fields.at(2).toDouble();
        p.value = fields.at(3).toDouble();
        p.metrics = readMetrics(f, u"evals"_s, fields.at(4).toObject());
        r.evals << p;
    }
}

void readSteps(JsonFields& f, ImportedRun& r)
{
    for (const QJsonValue& value : pointList(f, u"steps"_s, 6)) {
        const QJsonArray fields = value.toArray();
        StepPoint p;
        p.epoch = fields.at(0).toDouble();
        p.step = fields.at(1).toInteger();
        p.seconds = fields.at(2).toDouble();
        p.loss = fields.at(3).toDouble();
        p.learningRate = fields.at(4).toDouble();
        p.samplesPerSecond = fields.at(5).toDouble();
        r.steps << p;
    }
}

void readSource(JsonFields& f, ImportSource& source)
{
    JsonFields s(f.child(u"source"_s), f.fileName(), u"source"_s);
    source.path = s.line(u"path"_s, {});
    source.sha256 = s.line(u"sha256"_s, {});
    source.bytes = s.integer(u"bytes"_s, 0);
    source.run = s.count(u"run"_s, 1, 1, 1'000'000);
    f.take(s);
}

void readSettings(JsonFields& f, QMap<QString, QString>& settings)
{
    const QJsonObject object = f.child(u"settings"_s);
    JsonFields s(object, f.fileName(), u"settings"_s);
    for (auto it = object.begin(); it != object.end() && settings.size() < kMostSettings; ++it)
        settings.insert(it.key(), s.line(it.key(), {}));
    f.take(s);
}

void readFailure(JsonFields& f, Failure& failure)
{
    JsonFields e(f.child(u"error"_s), f.fileName(), u"error"_s);
    failure = {e.line(u"code"_s, {}), e.line(u"message"_s, {}), e.text(u"details"_s, {})};
    f.take(e);
}

ImportedRun readRun(JsonFields& f)
{
    ImportedRun r;
    r.runId = f.text(u"run_id"_s, {});
    if (const Result<RunId> id = RunId::parse(r.runId); !id)
        f.fail(id.failure().code, u"%1: \"run_id\": %2"_s.arg(f.fileName(), id.failure().message));
    readSource(f, r.source);
    r.importedMs = f.integer(u"imported_ms"_s, 0);
    const std::pair<const char*, QString*> texts[] = {{"benchmark", &r.benchmark},
                                                      {"title", &r.title},
                                                      {"workload", &r.workload},
                                                      {"round", &r.round},
                                                      {"round_from", &r.roundFrom},
                                                      {"submitter", &r.submitter},
                                                      {"division", &r.division},
                                                      {"status", &r.status},
                                                      {"system", &r.system},
                                                      {"accelerator", &r.accelerator},
                                                      {"framework", &r.framework},
                                                      {"accelerators_from", &r.acceleratorsFrom},
                                                      {"batch_unit", &r.batchUnit},
                                                      {"epoch_unit", &r.epochUnit},
                                                      {"metric", &r.metric},
                                                      {"scale", &r.scale},
                                                      {"model", &r.model},
                                                      {"precision", &r.precision},
                                                      {"data", &r.dataSource},
                                                      {"batch_policy", &r.batchPolicy},
                                                      {"compute_precision", &r.computePrecision}};
    for (const auto& [key, field] : texts)
        *field = f.line(QString::fromLatin1(key), {});
    const std::pair<const char*, int*> counts[] = {{"nodes", &r.nodes},
                                                   {"accelerators", &r.accelerators},
                                                   {"processors", &r.processors},
                                                   {"threads_per_worker", &r.threads}};
    for (const auto& [key, field] : counts)
        *field = f.count(QString::fromLatin1(key), 0, 0, 1'000'000);
    r.globalBatch = f.count(u"global_batch"_s, 0, 0, kMostCount);
    if (f.has(u"seed"_s))
        r.seed = quint64(f.integer(u"seed"_s, 0));
    r.learningRate = f.number(u"learning_rate"_s, 0);
    readSettings(f, r.settings);
    r.oversubscribed = f.boolean(u"oversubscribed"_s, false);
    r.marks = f.textList(u"marks"_s, {}).mid(0, kMostRemarks);
    r.converged = f.boolean(u"converged"_s, false);
    r.damaged = f.boolean(u"damaged"_s, false);
    readFailure(f, r.failure);
    r.startMs = f.number(u"start_ms"_s, 0);
    r.stopMs = f.number(u"stop_ms"_s, 0);
    r.epochs = optionalNumber(f, u"epochs"_s);
    r.qualityScale = f.number(u"quality_scale"_s, 1);
    if (!(r.qualityScale > 0))
        r.qualityScale = 1;
    r.target = optionalNumber(f, u"target"_s);
    r.furtherTargets = readMetrics(f, u"further_targets"_s, f.child(u"further_targets"_s));
    readEvals(f, r);
    readSteps(f, r);
    r.throughput = f.number(u"samples_per_s"_s, 0);
    r.remarks = f.textList(u"remarks"_s, {}).mid(0, kMostRemarks);
    return r;
}

} // namespace

QJsonObject toJson(const ImportedStudy& study)
{
    QJsonArray runs;
    for (const ImportedRun& run : study.runs)
        runs << runJson(run);
    return {{u"format"_s, kFormat},
            {u"version"_s, 1},
            {u"id"_s, study.id},
            {u"name"_s, study.name},
            {u"kind"_s, study.kind},
            {u"origin"_s, originTitle(study.kind)},
            {u"notice"_s, originNotice(study.kind)},
            {u"runs"_s, runs}};
}

Result<ImportedStudy> parseImportedStudy(const QByteArray& json, const QString& fileName)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, fileName);
    if (!parsed)
        return parsed.failure();
    JsonFields f(parsed.value(), fileName);
    f.checkFormat(kFormat, 1);
    ImportedStudy study;
    study.id = f.text(u"id"_s, {});
    if (const Result<StudyId> id = StudyId::parse(study.id); !id)
        f.fail(id.failure().code, u"%1: \"id\": %2"_s.arg(fileName, id.failure().message));
    study.name = f.line(u"name"_s, {});
    study.kind = f.line(u"kind"_s, {});
    const QJsonValue list = f.object().value("runs"_L1);
    const QJsonArray runs = list.toArray();
    if (!list.isArray() || runs.size() > kMostRuns)
        f.fail(u"out_of_range"_s, Launcher::tr("%1: \"runs\" must be a list of %2 runs at most.")
                                      .arg(fileName)
                                      .arg(kMostRuns));
    QSet<QString> ids;
    for (int i = 0; i < runs.size() && !f.failed(); ++i) {
        JsonFields run(runs[i].toObject(), fileName, u"runs[%1]"_s.arg(i));
        const ImportedRun read = readRun(run);
        f.take(run);
        if (ids.contains(read.runId))
            f.fail(u"run_twice"_s,
                   Launcher::tr("%1: the run \"%2\" is in it twice.").arg(fileName, read.runId));
        ids.insert(read.runId);
        study.runs << read;
    }
    if (f.failed())
        return f.failure();
    return study;
}

} // namespace scalebench::imports
