// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/workload_catalog.h"

#include "json_fields.h"

#include <QDir>
#include <QFile>

static void initResources()
{
    Q_INIT_RESOURCE(workloads); // a static library's resources are not registered by themselves
}

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

const WorkloadScale* Workload::scale(const QString& scaleId) const
{
    for (const WorkloadScale& scale : scales)
        if (scale.id == scaleId)
            return &scale;
    return nullptr;
}

const WorkloadModel* Workload::model(const QString& modelId) const
{
    for (const WorkloadModel& model : models)
        if (model.id == modelId)
            return &model;
    return nullptr;
}

static WorkloadScale readScale(const QString& id, const QJsonObject& preset,
                               const Workload& workload)
{
    WorkloadScale scale;
    scale.id = id;
    scale.preset = preset;
    scale.title = preset.value("title"_L1).toString(id);
    scale.description = preset.value("description"_L1).toString(scale.title);
    scale.model = preset.value("model"_L1).toObject().value("name"_L1).toString();
    scale.parameters = preset.value("parameters"_L1).toInteger();
    if (const WorkloadModel* model = workload.model(scale.model); model && scale.parameters == 0)
        scale.parameters = model->parameters;
    scale.target = preset.value("target"_L1).toDouble();
    scale.epochs = preset.value("epochs"_L1).toInt();
    scale.globalBatch = preset.value("global_batch"_L1).toInt();
    const QJsonObject data = preset.value("data"_L1).toObject();
    scale.trainSamples = data.value("train_samples"_L1).toInteger();
    scale.evalSamples = data.value("eval_samples"_L1).toInteger();
    scale.dataSource = data.value("source"_L1).toString();
    scale.dataHint = preset.value("data_hint"_L1).toString(data.value("expects"_L1).toString());
    return scale;
}

const WorkloadCatalog& WorkloadCatalog::builtin()
{
    static const WorkloadCatalog catalog = [] {
        initResources();
        WorkloadCatalog c;
        const QDir folder(u":/workloads"_s);
        for (const QString& name : folder.entryList({u"*.json"_s}, QDir::Files, QDir::Name)) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const Result<QJsonObject> parsed = parseJsonObject(file.readAll(), name);
            if (!parsed)
                qFatal("%s", qPrintable(parsed.failure().message));
            const QJsonObject& json = parsed.value();
            Workload workload;
            workload.id = json.value("id"_L1).toString();
            workload.title = json.value("title"_L1).toString(workload.id);
            workload.domain = json.value("domain"_L1).toString();
            workload.metric = json.value("metric"_L1).toString();
            workload.metricTitle = json.value("metric_title"_L1).toString(workload.metric);
            const QJsonObject models = json.value("models"_L1).toObject();
            for (const QString& id : models.keys()) {
                const QJsonObject model = models.value(id).toObject();
                workload.models << WorkloadModel{id, model.value("title"_L1).toString(id),
                                                 model.value("parameters"_L1).toInteger()};
            }
            const QJsonObject scales = json.value("scales"_L1).toObject();
            for (const QString& id : {u"desk"_s, u"lab"_s, u"mlperf"_s})
                if (scales.contains(id))
                    workload.scales << readScale(id, scales.value(id).toObject(), workload);
            for (const WorkloadScale& scale : workload.scales)
                if (!workload.model(scale.model))
                    workload.models << WorkloadModel{scale.model, scale.model, scale.parameters};
            c.m_workloads << workload;
        }
        return c;
    }();
    return catalog;
}

const Workload* WorkloadCatalog::find(const QString& id) const
{
    for (const Workload& workload : m_workloads)
        if (workload.id == id)
            return &workload;
    return nullptr;
}

QStringList WorkloadCatalog::ids() const
{
    QStringList ids;
    for (const Workload& workload : m_workloads)
        ids << workload.id;
    return ids;
}

} // namespace scalebench
