// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/recipe_reader.h"

#include "base/json_fields.h"
#include "base/translated.h"
#include "study/json_schema.h"

#include <QFile>
#include <QJsonDocument>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

Failure invalid(const QString& fileName, const QString& text)
{
    return Failure{u"recipe_invalid"_s, u"%1: %2"_s.arg(fileName, text)};
}

const QJsonObject& recipeSchema()
{
    static const QJsonObject schema = [] {
        QFile file(u":/schemas/recipe.schema.json"_s);
        if (!file.open(QIODevice::ReadOnly))
            qFatal("recipe.schema.json is not compiled in");
        return QJsonDocument::fromJson(file.readAll()).object();
    }();
    return schema;
}

std::optional<double> known(const QJsonObject& object, const QString& key)
{
    return object.contains(key) ? std::optional(object.value(key).toDouble()) : std::nullopt;
}

WorkloadModel readModel(const QString& id, const QJsonObject& json)
{
    return {id,
            recipeText(json.value("title"_L1).toString(id)),
            json.value("parameters"_L1).toInteger(),
            known(json, u"forward_flops_per_sample"_s),
            known(json, u"bytes_per_sample"_s),
            known(json, u"activation_bytes_per_sample"_s)};
}

WorkloadScale readScale(const QString& id, const QJsonObject& preset)
{
    WorkloadScale scale;
    scale.id = id;
    scale.preset = preset;
    scale.title = recipeText(preset.value("title"_L1).toString(id));
    scale.description = recipeText(preset.value("description"_L1).toString(scale.title));
    scale.model = preset.value("model"_L1).toObject().value("name"_L1).toString();
    scale.parameters = preset.value("parameters"_L1).toInteger();
    scale.forwardFlops = known(preset, u"forward_flops_per_sample"_s);
    scale.bytes = known(preset, u"bytes_per_sample"_s);
    scale.activationBytes = known(preset, u"activation_bytes_per_sample"_s);
    scale.epochs = preset.value("epochs"_L1).toInt();
    scale.globalBatch = preset.value("global_batch"_L1).toInt();
    const QJsonObject table = preset.value("batch_table"_L1).toObject();
    for (auto it = table.begin(); it != table.end(); ++it)
        if (const int workers = it.key().toInt(); workers > 0)
            scale.batchTable.insert(workers, it.value().toInt());
    const QJsonObject data = preset.value("data"_L1).toObject();
    scale.trainSamples = data.value("train_samples"_L1).toInteger();
    scale.evalSamples = data.value("eval_samples"_L1).toInteger();
    scale.dataSource = data.value("source"_L1).toString();
    scale.dataHint =
        recipeText(preset.value("data_hint"_L1).toString(data.value("expects"_L1).toString()));
    return scale;
}

/// What the model says holds for the scale where the scale says nothing.
void completeScale(WorkloadScale& scale, const Workload& workload)
{
    const WorkloadModel* model = workload.model(scale.model);
    if (!model)
        return;
    if (scale.parameters == 0)
        scale.parameters = model->parameters;
    if (!scale.forwardFlops)
        scale.forwardFlops = model->forwardFlops;
    if (!scale.bytes)
        scale.bytes = model->bytes;
    if (!scale.activationBytes)
        scale.activationBytes = model->activationBytes;
}

/// The scale's targets, now that the metrics are known; empty, or what is wrong.
QString readTargets(WorkloadScale& scale, const Workload& workload)
{
    const QString path = u"$.scales.%1.target"_s.arg(scale.id);
    const QJsonValue json = scale.preset.value("target"_L1);
    QJsonObject targets = json.toObject();
    if (json.isDouble())
        targets.insert(workload.metric, json);
    for (const QString& id : targets.keys()) {
        const MetricInfo* metric = workload.metricInfo(id);
        if (!metric) {
            QStringList ids;
            for (const MetricInfo& info : workload.metrics)
                ids << info.id;
            return Launcher::tr("%1 names \"%2\", which is no metric of %3. Known: %4.")
                .arg(path, id, workload.id, ids.join(u", "_s));
        }
        const double value = targets.value(id).toDouble();
        if (value > mostOf(metric->unit))
            return Launcher::tr("%1 must be at most %2 for %3, found the number %4.")
                .arg(path, QString::number(mostOf(metric->unit)), id)
                .arg(value);
        if (id == workload.metric)
            scale.target = value;
        else
            scale.furtherTargets << MetricValue{id, value};
    }
    return {};
}

/// What the engine refuses of a schedule though each of its numbers fits; empty: nothing.
QString scheduleProblem(const WorkloadScale& scale)
{
    const QJsonObject schedule = scale.preset.value("schedule"_L1).toObject();
    const QString path = u"$.scales.%1.schedule"_s.arg(scale.id);
    double before = 0;
    for (const QJsonValue& milestone : schedule.value("milestones"_L1).toArray()) {
        if (milestone.toDouble() <= before)
            return Launcher::tr("%1.milestones must rise, found %2 after %3.")
                .arg(path)
                .arg(milestone.toDouble())
                .arg(before);
        before = milestone.toDouble();
    }
    const QString key = schedule.contains("warmup_epochs"_L1) ? u"warmup_epochs"_s : u"warmup"_s;
    const double warmup = schedule.value(key).toDouble();
    if (warmup >= scale.epochs && schedule.value("length_unit"_L1).toString() != "steps"_L1)
        return Launcher::tr("%1.%2 must be below \"epochs\" (%3), found the number %4.")
            .arg(path, key)
            .arg(scale.epochs)
            .arg(warmup);
    return {};
}

bool sameFigures(const WorkloadModel& a, const WorkloadModel& b)
{
    return a.parameters == b.parameters && a.forwardFlops == b.forwardFlops && a.bytes == b.bytes &&
           a.activationBytes == b.activationBytes;
}

QString conflictWith(const Workload& workload, const Workload& more)
{
    for (const MetricInfo& metric : more.metrics)
        if (!workload.metricInfo(metric.id))
            return Launcher::
                tr("$.metrics has \"%1\"; the engine measures %2 in other ways. Leave metrics out.")
                    .arg(metric.id, workload.id);
    for (const WorkloadScale& scale : more.scales)
        if (workload.scale(scale.id))
            return Launcher::tr("$.scales.%1 is a scale of %2 already. Give yours another name.")
                .arg(scale.id, workload.id);
    for (const WorkloadModel& model : more.models)
        if (const WorkloadModel* own = workload.model(model.id); own && !sameFigures(*own, model))
            return Launcher::tr("$.models.%1 is known with other figures. Leave it out.")
                .arg(model.id);
    return {};
}

} // namespace

Result<Workload> readRecipe(const QByteArray& json, const QString& fileName)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, fileName);
    if (!parsed)
        return parsed.failure();
    const QJsonObject& recipe = parsed.value();
    if (const QString problem = schemaProblem(recipe, recipeSchema()); !problem.isEmpty())
        return invalid(fileName, problem);
    Workload workload;
    workload.id = recipe.value("id"_L1).toString();
    workload.title = recipeText(recipe.value("title"_L1).toString(workload.id));
    workload.domain = recipeText(recipe.value("domain"_L1).toString());
    workload.dataFiles = recipeText(recipe.value("data_files"_L1).toString());
    for (const QJsonValue& name : recipe.value("switches"_L1).toArray())
        workload.switches << name.toString();
    for (const QJsonValue& form : recipe.value("data_forms"_L1).toArray())
        workload.dataForms << form.toString();
    for (const QJsonValue& item : recipe.value("metrics"_L1).toArray()) {
        const QJsonObject metric = item.toObject();
        workload.metrics << MetricInfo{metric.value("id"_L1).toString(),
                                       recipeText(metric.value("title"_L1).toString()),
                                       metricUnit(metric.value("unit"_L1).toString())};
    }
    const QJsonObject models = recipe.value("models"_L1).toObject();
    for (const QString& id : models.keys())
        workload.models << readModel(id, models.value(id).toObject());
    const QJsonObject scales = recipe.value("scales"_L1).toObject();
    QStringList order{u"desk"_s}; // which everybody begins with; "lab", "lab_fast", "mlperf" follow
    for (const QString& id : scales.keys())
        if (!order.contains(id))
            order << id;
    for (const QString& id : order)
        if (scales.contains(id))
            workload.scales << readScale(id, scales.value(id).toObject());
    for (const WorkloadScale& scale : workload.scales)
        if (const QString problem = scheduleProblem(scale); !problem.isEmpty())
            return invalid(fileName, problem);
    return workload;
}

Result<void> addRecipe(Workload& workload, const Workload& more, const QString& fileName)
{
    if (const QString conflict = conflictWith(workload, more); !conflict.isEmpty())
        return invalid(fileName, conflict);
    Workload whole = workload;
    if (!whole.metrics.isEmpty()) {
        whole.metric = whole.metrics.first().id;
        whole.metricTitle = whole.metrics.first().title;
    }
    for (const WorkloadModel& model : more.models)
        if (!whole.model(model.id))
            whole.models << model;
    for (WorkloadScale scale : more.scales) {
        completeScale(scale, whole);
        if (const QString problem = readTargets(scale, whole); !problem.isEmpty())
            return invalid(fileName, problem);
        whole.scales << scale;
        if (!whole.model(scale.model))
            whole.models << WorkloadModel{scale.model, scale.model, scale.parameters, {}, {}, {}};
    }
    workload = whole;
    return {};
}

/// The part of the schema that a path leads to; empty where there is none.
static QJsonObject schemaAt(const QString& path)
{
    QJsonObject part = recipeSchema().value("$defs"_L1).toObject().value("scale"_L1).toObject();
    for (const QString& name : path.split(u'.'))
        part = part.value("properties"_L1).toObject().value(name).toObject();
    return part;
}

QStringList recipePaths()
{
    QStringList paths{u"eval_every"_s, u"eval_unit"_s, u"eval_first"_s, u"eval_batch"_s};
    for (const QString& part : {u"optimizer"_s, u"schedule"_s})
        for (const QString& name : schemaAt(part).value("properties"_L1).toObject().keys())
            paths << part + u'.' + name;
    return paths;
}

/// With what it refers to.
static QJsonObject resolved(QJsonObject schema)
{
    const QJsonObject defs = recipeSchema().value("$defs"_L1).toObject();
    for (int depth = 0; depth < 8 && schema.contains("$ref"_L1); ++depth)
        schema = defs.value(schema.value("$ref"_L1).toString().section(u'/', -1)).toObject();
    return schema;
}

/// The part for what one workload's own keys hold: "data.negatives".
static QJsonObject schemaOfOwn(const QString& workload, const QString& path)
{
    QJsonObject part = recipeSchema().value("$defs"_L1).toObject().value(workload).toObject();
    part = part.value("properties"_L1).toObject().value("scales"_L1).toObject();
    part = part.value("additionalProperties"_L1).toObject();
    for (const QString& name : path.split(u'.'))
        part = resolved(part.value("properties"_L1).toObject().value(name).toObject());
    return part;
}

QString recipeSettingProblem(const QString& workload, const QString& path, const QJsonValue& value)
{
    QJsonObject schema = schemaAt(path);
    if (schema.isEmpty())
        schema = schemaOfOwn(workload, path);
    if (schema.isEmpty())
        return {};
    schema.insert(u"$defs"_s, recipeSchema().value("$defs"_L1));
    QString problem = schemaProblem(value, schema);
    if (problem.startsWith(u'$'))
        problem.replace(0, 1, u'"' + path + u'"');
    return problem;
}

} // namespace scalebench
