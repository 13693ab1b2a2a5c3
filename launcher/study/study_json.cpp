// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of study.json that make it a matrix: settings and several workloads.
#include "study/study_json.h"

#include "base/plain_text.h"
#include "base/translated.h"
#include "study/dimensions.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// Of a workload in "workloads".
static const QStringList kWorkloadKeys = {u"workload"_s,     u"scale"_s,         u"data"_s,
                                          u"model"_s,        u"precisions"_s,    u"batch_policy"_s,
                                          u"global_batch"_s, u"batch_table"_s,   u"epochs"_s,
                                          u"target"_s,       u"learning_rate"_s, u"settings"_s};

static bool isScalar(const QJsonValue& value)
{
    return value.isBool() || value.isDouble() || value.isString();
}

static bool isListOfScalars(const QJsonValue& value)
{
    const QJsonArray list = value.toArray();
    return value.isArray() && std::all_of(list.begin(), list.end(), isScalar);
}

/// {"schedule.base_lr": [0.1, 0.2], "options.overlap": true, "model.top": [[512, 256], [256]]}: a
/// value alone is a list of one, unless it is a list itself.
Settings readSettings(JsonFields& fields, const QString& what)
{
    Settings settings;
    const QJsonObject entries = fields.child(u"settings"_s);
    for (auto it = entries.begin(); it != entries.end(); ++it) {
        const QString place = u"%1: %2\"settings\": \"%3\""_s.arg(fields.fileName(), what,
                                                                  visibleLine(it.key().left(100)));
        const QJsonArray values =
            it.value().isArray() ? it.value().toArray() : QJsonArray{it.value()};
        if (values.isEmpty())
            fields.fail(
                u"values_missing"_s,
                Launcher::tr("%1 has an empty list; give at least one value, or leave it out.")
                    .arg(place));
        QList<QJsonValue> list;
        for (const QJsonValue& value : values) {
            if (!isScalar(value) && !isListOfScalars(value))
                fields.fail(
                    u"wrong_type"_s,
                    Launcher::tr(
                        "%1 must be true, false, a number, a text or a list of these, found "
                        "%2.")
                        .arg(place, describeJson(value)));
            else if (list.contains(value))
                fields.fail(u"value_duplicate"_s,
                            Launcher::tr("%1 has the value %2 twice; use repeats for "
                                         "several runs of it.")
                                .arg(place, valueText(it.key(), value)));
            list << value;
        }
        if (const Dimension* d = findDimension(it.key()); d && !d->studyKey.isEmpty())
            if (!valueAt(fields.object(), d->studyKey).isUndefined())
                fields.fail(
                    u"path_twice"_s,
                    Launcher::tr("%1 is given twice: \"%2\" says it too. Leave one of them out.")
                        .arg(place, d->studyKey));
        settings.insert(it.key(), list);
    }
    return settings;
}

static WorkloadPlan readWorkload(JsonFields& f, const QString& what)
{
    WorkloadPlan w;
    f.allowOnly(kWorkloadKeys);
    w.workload = f.line(u"workload"_s, {});
    w.scale = f.line(u"scale"_s, {});
    w.data = f.line(u"data"_s, {});
    w.model = f.line(u"model"_s, {});
    w.precisions = shortList(f, u"precisions"_s);
    w.batchPolicy = f.line(u"batch_policy"_s, {});
    w.globalBatch = f.whole(u"global_batch"_s, 0);
    w.batchTable = readBatchTable(f);
    w.epochs = f.whole(u"epochs"_s, 0);
    readTarget(f, w.target, w.noTarget);
    if (f.has(u"learning_rate"_s) && !f.isNull(u"learning_rate"_s))
        w.learningRate = f.number(u"learning_rate"_s, 0);
    w.settings = readSettings(f, what);
    return w;
}

/// A name alone, or an object with what is the workload's own.
QList<WorkloadPlan> readWorkloads(JsonFields& fields)
{
    static constexpr int kMost = 1000;
    QList<WorkloadPlan> plans;
    if (!fields.has(u"workloads"_s))
        return plans;
    const QJsonValue json = fields.object().value("workloads"_L1);
    if (!json.isArray() || json.toArray().isEmpty() || json.toArray().size() > kMost) {
        fields.fail(u"wrong_type"_s,
                    Launcher::tr("%1: \"workloads\" must be a list of 1 to %2 names or objects.")
                        .arg(fields.fileName())
                        .arg(kMost));
        return plans;
    }
    if (fields.has(u"workload"_s))
        fields.fail(u"path_twice"_s,
                    Launcher::tr("%1: \"workload\" and \"workloads\" are both there. Leave "
                                 "one of them out.")
                        .arg(fields.fileName()));
    for (const QJsonValue& entry : json.toArray()) {
        const QString place = u"workloads[%1]"_s.arg(plans.size());
        if (!entry.isObject() && !entry.isString())
            fields.fail(u"wrong_type"_s,
                        Launcher::tr("%1: \"%2\" must be a name or an object { … }, found %3.")
                            .arg(fields.fileName(), place, describeJson(entry)));
        JsonFields f(entry.isString() ? QJsonObject{{u"workload"_s, entry}} : entry.toObject(),
                     fields.fileName(), place);
        plans << readWorkload(f, place + u'.');
        fields.take(f);
    }
    return plans;
}

QJsonObject toJson(const Settings& settings)
{
    QJsonObject object;
    for (auto it = settings.begin(); it != settings.end(); ++it) {
        QJsonArray values;
        for (const QJsonValue& value : it.value())
            values << value;
        const bool alone = values.size() == 1 && !values.first().isArray();
        object.insert(it.key(), alone ? values.first() : QJsonValue(values));
    }
    return object;
}

QJsonObject toJson(const QMap<int, int>& batchTable)
{
    QJsonObject table;
    for (auto it = batchTable.begin(); it != batchTable.end(); ++it)
        table.insert(QString::number(it.key()), it.value());
    return table;
}

QJsonValue toJson(const WorkloadPlan& w)
{
    QJsonObject o{{u"workload"_s, w.workload}};
    const auto text = [&](const QString& key, const QString& value) {
        if (!value.isEmpty())
            o.insert(key, value);
    };
    const auto whole = [&](const QString& key, int value) {
        if (value != 0)
            o.insert(key, value);
    };
    text(u"scale"_s, w.scale);
    text(u"data"_s, w.data);
    text(u"model"_s, w.model);
    text(u"batch_policy"_s, w.batchPolicy);
    whole(u"global_batch"_s, w.globalBatch);
    whole(u"epochs"_s, w.epochs);
    if (!w.precisions.isEmpty())
        o.insert(u"precisions"_s, QJsonArray::fromStringList(w.precisions));
    if (!w.batchTable.isEmpty())
        o.insert(u"batch_table"_s, toJson(w.batchTable));
    if (w.noTarget)
        o.insert(u"target"_s, QJsonValue::Null);
    else if (w.target)
        o.insert(u"target"_s, *w.target);
    if (w.learningRate)
        o.insert(u"learning_rate"_s, *w.learningRate);
    if (!w.settings.isEmpty())
        o.insert(u"settings"_s, toJson(w.settings));
    return o.size() == 1 ? QJsonValue(w.workload) : QJsonValue(o);
}

StudySpec StudySpec::only(const WorkloadPlan& w) const
{
    StudySpec s = *this;
    s.workloads.clear();
    const auto take = [](auto& to, const auto& from) {
        if (!from.isEmpty())
            to = from;
    };
    s.workload = w.workload;
    take(s.scale, w.scale);
    take(s.data, w.data);
    take(s.model, w.model);
    take(s.precisions, w.precisions);
    take(s.batchPolicy, w.batchPolicy);
    take(s.batchTable, w.batchTable);
    if (w.globalBatch != 0)
        s.globalBatch = w.globalBatch;
    if (w.epochs != 0)
        s.epochs = w.epochs;
    if (w.target || w.noTarget) {
        s.target = w.target;
        s.noTarget = w.noTarget;
    }
    if (w.learningRate)
        s.learningRate = w.learningRate;
    for (auto it = w.settings.begin(); it != w.settings.end(); ++it)
        s.settings.insert(it.key(), it.value());
    return s;
}

QList<StudySpec> StudySpec::split() const
{
    if (workloads.isEmpty())
        return {*this};
    QList<StudySpec> studies;
    for (const WorkloadPlan& plan : workloads)
        studies << only(plan);
    return studies;
}

QStringList StudySpec::workloadIds() const
{
    QStringList ids;
    for (const WorkloadPlan& plan : workloads)
        ids << plan.workload;
    return ids.isEmpty() ? QStringList{workload} : ids;
}

} // namespace scalebench
