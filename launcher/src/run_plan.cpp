// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/run_config.h"

#include "launcher/machine_info.h"
#include "launcher/workload_catalog.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The part of a preset that goes into run.json as it is.
QJsonObject runPart(QJsonObject preset)
{
    for (const QString& key : {u"title"_s, u"description"_s, u"parameters"_s, u"data_hint"_s})
        preset.remove(key);
    return preset;
}

QJsonObject resolveData(const StudySpec& spec, const Workload& workload, const WorkloadScale& scale,
                        const QString& generatedDataDir)
{
    QJsonObject data = scale.preset.value("data"_L1).toObject();
    const QJsonObject desk = workload.scales.first().preset.value("data"_L1).toObject();
    const QString generator =
        data.value("generator"_L1)
            .toString(desk.value("generator"_L1).toString(workload.id + u"-v1"_s));
    const bool isWord = spec.data == "generated"_L1 || spec.data == "synthetic"_L1;
    if (isWord) {
        // A preset for files has no sample counts; the desk preset's stand in for made-up data.
        for (const QString& key : {u"train_samples"_s, u"eval_samples"_s})
            if (data.value(key).toInteger() == 0)
                data.insert(key, desk.value(key));
        data.insert(u"source"_s, spec.data);
    } else if (!spec.data.isEmpty()) {
        if (data.value("source"_L1).toString() != "files"_L1) {
            data.insert(u"train_samples"_s, 0);
            data.insert(u"eval_samples"_s, 0);
        }
        data.insert(u"source"_s, u"files"_s);
        data.insert(u"path"_s, QFileInfo(spec.data).absoluteFilePath());
    }
    if (data.value("source"_L1).toString() == "generated"_L1)
        data.insert(u"path"_s, QDir(generatedDataDir).absoluteFilePath(generator));
    else if (data.value("source"_L1).toString() == "synthetic"_L1)
        data.remove(u"path"_s);
    data.remove(u"generator"_s);
    data.remove(u"expects"_s);
    return data;
}

int batchFor(const StudySpec& spec, const WorkloadScale& scale, int workers)
{
    if (spec.batchPolicy == "table"_L1)
        return spec.batchTable.value(workers);
    const int batch = spec.globalBatch > 0 ? spec.globalBatch : scale.globalBatch;
    return spec.batchPolicy == "weak"_L1 ? batch * workers : batch;
}

/// Linear scaling rule: weak grows with the workers, a table with the batch relative to the
/// smallest worker count's. An explicit rate is the one of the smallest batch.
double rateFor(const StudySpec& spec, const WorkloadScale& scale, int workers)
{
    const double preset =
        scale.preset.value("schedule"_L1).toObject().value("base_lr"_L1).toDouble();
    const double rate = spec.learningRate.value_or(preset);
    if (spec.batchPolicy == "weak"_L1)
        return rate * workers;
    if (spec.batchPolicy == "table"_L1) {
        const int smallest = *std::min_element(spec.workers.begin(), spec.workers.end());
        return rate * spec.batchTable.value(workers) / std::max(1, spec.batchTable.value(smallest));
    }
    return rate;
}

/// Fewer epochs than the preset's compress its warm-up and milestones in proportion, or the
/// schedule would not fit; more epochs leave them alone.
void fitSchedule(QJsonObject& schedule, int epochs, int presetEpochs)
{
    if (epochs <= 0 || presetEpochs <= 0 || epochs >= presetEpochs)
        return;
    const double factor = double(epochs) / presetEpochs;
    schedule.insert(u"warmup_epochs"_s, schedule.value("warmup_epochs"_L1).toDouble() * factor);
    QJsonArray milestones;
    for (const QJsonValue& milestone : schedule.value("milestones"_L1).toArray())
        milestones << milestone.toDouble() * factor;
    schedule.insert(u"milestones"_s, milestones);
}

} // namespace

Result<QList<RunConfig>> planRuns(const StudySpec& spec, const MachineInfo& machine,
                                  const QString& studyId, const QString& generatedDataDir)
{
    for (const Problem& problem : validate(spec, machine))
        if (problem.level == Problem::Level::Error)
            return Failure{problem.code, problem.message};

    const Workload& workload = *WorkloadCatalog::builtin().find(spec.workload);
    const WorkloadScale& scale = *workload.scale(spec.scale);
    const int largest = *std::max_element(spec.workers.begin(), spec.workers.end());
    const int threads =
        spec.threadsPerWorker > 0 ? spec.threadsPerWorker : std::max(1, machine.cores / largest);
    const QJsonObject data = resolveData(spec, workload, scale, generatedDataDir);
    const bool synthetic = data.value("source"_L1).toString() == "synthetic"_L1;

    QList<RunConfig> runs;
    for (int repeat = 1; repeat <= spec.repeats; ++repeat) {
        for (const QString& precision : spec.precisions) {
            for (int workers : spec.workers) {
                const quint64 seed = spec.seed + quint64(repeat - 1);
                const int batch = batchFor(spec, scale, workers);
                QJsonObject json = runPart(scale.preset);
                QJsonObject model = json.value("model"_L1).toObject();
                if (!spec.model.isEmpty())
                    model.insert(u"name"_s, spec.model);
                QJsonObject schedule = json.value("schedule"_L1).toObject();
                schedule.insert(u"base_lr"_s, rateFor(spec, scale, workers));
                fitSchedule(schedule, spec.epochs, scale.epochs);
                const bool over = spec.device == "cpu"_L1 && workers > machine.cores;

                json.insert(u"format"_s, u"scalebench.run"_s);
                json.insert(u"version"_s, 1);
                json.insert(u"study"_s, studyId);
                json.insert(u"run_id"_s, u"%1-%2-%3-%4-1x%5-b%6-s%7-r%8"_s.arg(
                                             spec.workload, spec.scale, spec.device, precision,
                                             QString::number(workers), QString::number(batch),
                                             QString::number(seed), QString::number(repeat)));
                json.insert(u"workload"_s, spec.workload);
                json.insert(u"scale"_s, spec.scale);
                json.insert(u"model"_s, model);
                json.insert(u"data"_s, data);
                json.insert(u"device"_s, spec.device);
                json.insert(u"precision"_s, precision);
                json.insert(u"nodes"_s, 1);
                json.insert(u"workers"_s, workers);
                json.insert(u"threads_per_worker"_s, threads);
                json.insert(u"batch_policy"_s, spec.batchPolicy);
                json.insert(u"global_batch"_s, batch);
                json.insert(u"schedule"_s, schedule);
                if (spec.epochs > 0)
                    json.insert(u"epochs"_s, spec.epochs);
                if (spec.noTarget || synthetic)
                    json.insert(u"target"_s, QJsonValue::Null);
                else if (spec.target)
                    json.insert(u"target"_s, *spec.target);
                json.insert(u"seed"_s, qint64(seed));
                json.insert(u"repeat"_s, repeat);
                json.insert(u"options"_s, spec.options.toJson());
                if (over)
                    json.insert(u"oversubscribed"_s, true);
                const Result<RunConfig> config =
                    RunConfig::fromJson(QJsonDocument(json).toJson(), u"run.json"_s);
                if (!config)
                    return config.failure();
                runs << config.value();
            }
        }
    }
    return runs;
}

} // namespace scalebench
