// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "cli.h"
#include "study/dimensions.h"
#include "study/memory_need.h"
#include "study/workload_catalog.h"
#include "text_table.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QLocale>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

/// As in run.json: null, a number, or an object where several metrics have one.
static QJsonValue targetJson(const Workload& workload, const WorkloadScale& scale)
{
    if (scale.furtherTargets.isEmpty())
        return orNull(scale.target);
    QJsonObject targets;
    if (scale.target)
        targets.insert(workload.metric, *scale.target);
    for (const MetricValue& target : scale.furtherTargets)
        targets.insert(target.metric, target.value);
    return targets;
}

static QJsonObject toJson(const Workload& workload, const WorkloadScale& scale)
{
    QJsonObject run = scale.preset;
    run.insert(u"workload"_s, workload.id);
    run.insert(u"scale"_s, scale.id);
    QJsonObject memory, batches;
    for (int workers = 1; workers <= 64; workers *= 2) {
        if (const qint64 bytes = networkBytesPerWorker(run, workers))
            memory.insert(QString::number(workers), bytes);
        if (const qint64 bytes = batchBytesPerWorker(run, workers))
            batches.insert(QString::number(workers), bytes);
    }
    const QJsonValue parameters = orNullIfZero(double(scale.parameters));
    return {{u"id"_s, scale.id},
            {u"workload"_s, workload.id},
            {u"scale"_s, scale.id},
            {u"title"_s, scale.title},
            {u"model"_s, scale.model},
            {u"parameters"_s, parameters},
            {u"forward_flops_per_sample"_s, orNull(scale.forwardFlops)},
            {u"bytes_per_sample"_s, orNull(scale.bytes)},
            {u"network_bytes_per_worker"_s, memory},
            {u"batch_bytes_per_worker"_s, batches},
            {u"metric"_s, workload.metric},
            {u"target"_s, targetJson(workload, scale)},
            {u"epochs"_s, scale.epochs},
            {u"global_batch"_s, scale.globalBatch},
            {u"data"_s, scale.dataSource},
            {u"data_source"_s, scale.dataSource},
            {u"data_hint"_s, scale.dataHint}};
}

static QJsonObject toJson(const Workload& workload)
{
    QJsonArray scales, metrics;
    for (const WorkloadScale& scale : workload.scales)
        scales << toJson(workload, scale);
    for (const MetricInfo& metric : workload.metrics)
        metrics << QJsonObject{{u"id"_s, metric.id},
                               {u"title"_s, metric.title},
                               {u"unit"_s, metricUnitWord(metric.unit)}};
    return {{u"id"_s, workload.id},         {u"title"_s, workload.title},
            {u"domain"_s, workload.domain}, {u"metric"_s, workload.metric},
            {u"metrics"_s, metrics},        {u"scales"_s, scales}};
}

/// "50 %, ndcg 30 %".
static QString targetText(const Workload& workload, const WorkloadScale& scale)
{
    QStringList texts;
    if (scale.target)
        texts << metricText(workload.unit(), *scale.target, 1);
    for (const MetricValue& target : scale.furtherTargets)
        texts << target.metric + u' ' +
                     metricText(workload.metricInfo(target.metric)->unit, target.value, 1);
    return texts.isEmpty() ? u"none"_s : texts.join(u", "_s);
}

static QString tableText(const WorkloadCatalog& catalog)
{
    TextTable table({u"workload"_s, u"scale"_s, u"model"_s, u"data"_s, u"parameters"_s, u"target"_s,
                     u"epochs"_s, u"batch"_s},
                    4);
    for (const Workload& workload : catalog.workloads())
        for (const WorkloadScale& scale : workload.scales)
            table.add({workload.id, scale.id, scale.model, scale.dataSource,
                       scale.parameters > 0 ? QLocale().toString(scale.parameters) : u"-"_s,
                       targetText(workload, scale), QString::number(scale.epochs),
                       QString::number(scale.globalBatch)});
    return table.text();
}

void reportRecipeProblems(const WorkloadCatalog& catalog)
{
    for (const Failure& problem : catalog.problems())
        error(u"recipe left out: "_s + problem.message);
}

/// Every path that "--set" knows for a workload, with the recipe's value at a scale.
static QString settingsText(const Workload& workload)
{
    const WorkloadScale& scale = workload.scales.first();
    TextTable table({u"setting"_s, u"%1, %2"_s.arg(workload.id, scale.id), u"what"_s}, 3);
    for (const QString& path : pathsOf(workload)) {
        const QJsonValue value = valueAt(scale.preset, path);
        table.add({path, value.isUndefined() || value.isArray() ? u"-"_s : valueText(path, value),
                   findDimension(path) ? dimensionTitle(path) : QString()});
    }
    return table.text();
}

static QJsonObject withSettings(const Workload& workload)
{
    QJsonObject json = toJson(workload);
    QJsonArray settings;
    for (const QString& path : pathsOf(workload))
        settings << QJsonObject{
            {u"path"_s, path},
            {u"value"_s, valueAt(workload.scales.first().preset, path)},
            {u"title"_s, findDimension(path) ? dimensionTitle(path) : QString()}};
    json.insert(u"settings"_s, settings);
    return json;
}

int commandWorkloads(const QStringList& arguments)
{
    CommandParser parser(
        u"workloads [WORKLOAD] [options]"_s,
        u"Lists what can be trained, with the recipes in %1; of one workload, the settings that "
        "\"run --set\" takes."_s.arg(WorkloadCatalog::userFolder()));
    parser.addPositionalArgument(u"workload"_s, u"Show its settings."_s, u"[WORKLOAD]"_s);
    parser.addJsonOption();
    parser.addOption(
        {u"dir"_s, u"Read the recipes of this folder too, to check them."_s, u"FOLDER"_s});
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (const QStringList words = parser.positionalArguments(); words.size() > 1)
        return report({u"usage"_s, u"\"%1\" is one word too many."_s.arg(visibleLine(words[1]))});
    WorkloadCatalog catalog = WorkloadCatalog::instance();
    const auto before = catalog.problems().size();
    if (parser.isSet(u"dir"_s))
        if (const Result<void> added = catalog.addFolder(parser.value(u"dir"_s)); !added)
            return report(added.failure());
    reportRecipeProblems(catalog);
    if (const QStringList words = parser.positionalArguments(); !words.isEmpty()) {
        const Workload* workload = catalog.find(words.first());
        if (!workload)
            return report({u"usage"_s, u"The workload \"%1\" is not known. Known: %2."_s.arg(
                                           words.first(), catalog.ids().join(u", "_s))});
        if (parser.json())
            printJson(QJsonDocument(withSettings(*workload)));
        else
            out(settingsText(*workload));
        return kOk;
    }
    if (parser.json()) {
        QJsonArray list;
        for (const Workload& workload : catalog.workloads())
            list << toJson(workload);
        printJson(QJsonDocument(list));
    } else {
        out(tableText(catalog));
    }
    // Who asks for a folder wants to know whether it is right.
    return catalog.problems().size() > before ? kUsage : kOk;
}

} // namespace scalebench::cli
