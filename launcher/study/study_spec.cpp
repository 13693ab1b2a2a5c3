// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_spec.h"

#include "base/json_fields.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "study/dimensions.h"
#include "study/study_json.h"
#include "study/workload_catalog.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static const QStringList kKeys = {u"format"_s,
                                  u"version"_s,
                                  u"name"_s,
                                  u"workload"_s,
                                  u"scale"_s,
                                  u"device"_s,
                                  u"precisions"_s,
                                  u"workers"_s,
                                  u"batch_policy"_s,
                                  u"global_batch"_s,
                                  u"batch_table"_s,
                                  u"epochs"_s,
                                  u"target"_s,
                                  u"seed"_s,
                                  u"repeats"_s,
                                  u"threads_per_worker"_s,
                                  u"data"_s,
                                  u"data_dir"_s,
                                  u"learning_rate"_s,
                                  u"model"_s,
                                  u"oversubscribe"_s,
                                  u"options"_s,
                                  u"machine"_s,
                                  u"shapes"_s,
                                  u"order"_s,
                                  u"retries"_s,
                                  u"exclusive"_s,
                                  u"settings"_s,
                                  u"workloads"_s,
                                  u"max_minutes"_s,
                                  u"stop_after_target"_s};

QString Shape::text() const
{
    return u"%1x%2"_s.arg(nodes).arg(workersPerNode);
}

std::optional<Shape> Shape::fromText(const QString& text)
{
    const QStringList parts = text.trimmed().split(u'x', Qt::KeepEmptyParts, Qt::CaseInsensitive);
    bool nodesOk = false, workersOk = false;
    const Shape shape{parts.value(0).toInt(&nodesOk), parts.value(1).toInt(&workersOk)};
    if (parts.size() != 2 || !nodesOk || !workersOk || shape.nodes < 1 ||
        shape.workersPerNode < 1 || qint64(shape.nodes) * shape.workersPerNode > 1'000'000)
        return {};
    return shape;
}

QList<Shape> shapesOf(int workers, int maxNodes, int maxPerNode)
{
    QList<Shape> shapes;
    for (int nodes = 1; nodes <= workers && nodes <= maxNodes; ++nodes)
        if (workers % nodes == 0 && (maxPerNode <= 0 || workers / nodes <= maxPerNode))
            shapes << Shape{nodes, workers / nodes};
    return shapes;
}

/// A plan of more runs than any machine trains in its life is a mistake or an attack.
QStringList shortList(JsonFields& fields, const QString& key, const QStringList& fallback)
{
    static constexpr int kMost = 10'000;
    const QStringList list = fields.textList(key, fallback);
    if (list.size() > kMost)
        fields.fail(u"out_of_range"_s, Launcher::tr("%1: \"%2\" has %3 entries; %4 is the most.")
                                           .arg(fields.fileName(), key)
                                           .arg(list.size())
                                           .arg(kMost));
    return list.first(std::min<qsizetype>(list.size(), kMost));
}

static QList<Shape> readShapes(JsonFields& fields)
{
    QList<Shape> shapes;
    for (const QString& text : shortList(fields, u"shapes"_s)) {
        const std::optional<Shape> shape = Shape::fromText(text);
        if (!shape)
            fields.fail(u"shape_invalid"_s,
                        Launcher::tr(
                            "%1: \"shapes\" holds \"%2\"; a shape is nodes x workers per node, for "
                            "example \"2x4\".")
                            .arg(fields.fileName(), visibleLine(text.left(80))));
        else
            shapes << *shape;
    }
    return shapes;
}

QMap<int, int> readBatchTable(JsonFields& fields)
{
    QMap<int, int> table;
    JsonFields entries(fields.child(u"batch_table"_s), fields.fileName(), u"batch_table"_s);
    for (const QString& key : entries.object().keys()) {
        bool ok = false;
        const int workers = key.toInt(&ok);
        if (!ok)
            entries.fail(u"wrong_type"_s, Launcher::tr("%1: \"batch_table\" maps worker counts to "
                                                       "batches; \"%2\" is not a worker count.")
                                              .arg(fields.fileName(), key.left(80)));
        table.insert(workers, entries.whole(key, 0));
    }
    fields.take(entries);
    return table;
}

QJsonObject RunOptions::toJson() const
{
    return {{u"sync_bn"_s, syncBn},
            {u"bucket_mb"_s, bucketMb},
            {u"overlap"_s, overlap},
            {u"grad_accum"_s, gradAccum},
            {u"allreduce"_s, allreduce},
            {u"shard_optimizer"_s, shardOptimizer},
            {u"fused_optimizer"_s, fusedOptimizer},
            {u"bind_threads"_s, bindThreads},
            {u"async_eval"_s, asyncEval},
            {u"pack_sequences"_s, packSequences},
            {u"align_batch"_s, alignBatch},
            {u"cuda_graphs"_s, cudaGraphs},
            {u"autotune"_s, autotune},
            {u"checkpoint_every"_s, checkpointEvery},
            {u"collective_timeout_s"_s, collectiveTimeoutS}};
}

static RunOptions readOptions(JsonFields& fields)
{
    RunOptions options;
    JsonFields o(fields.child(u"options"_s), fields.fileName(), u"options"_s);
    o.allowOnly(options.toJson().keys());
    const auto flag = [&](const QString& key, bool& value) { value = o.boolean(key, value); };
    const auto whole = [&](const QString& key, int& value) { value = o.whole(key, value); };
    flag(u"sync_bn"_s, options.syncBn);
    flag(u"overlap"_s, options.overlap);
    whole(u"bucket_mb"_s, options.bucketMb);
    whole(u"grad_accum"_s, options.gradAccum);
    options.allreduce = o.line(u"allreduce"_s, options.allreduce);
    flag(u"shard_optimizer"_s, options.shardOptimizer);
    flag(u"fused_optimizer"_s, options.fusedOptimizer);
    flag(u"bind_threads"_s, options.bindThreads);
    flag(u"async_eval"_s, options.asyncEval);
    flag(u"pack_sequences"_s, options.packSequences);
    flag(u"align_batch"_s, options.alignBatch);
    flag(u"cuda_graphs"_s, options.cudaGraphs);
    flag(u"autotune"_s, options.autotune);
    whole(u"checkpoint_every"_s, options.checkpointEvery);
    whole(u"collective_timeout_s"_s, options.collectiveTimeoutS);
    fields.take(o);
    return options;
}

void readTarget(JsonFields& f, std::optional<double>& target, bool& none)
{
    if (!f.has(u"target"_s))
        return;
    if (f.isNull(u"target"_s))
        none = true;
    else
        target = f.number(u"target"_s, 0);
}

QStringList defaultPrecisions(const QString& workloadId, const QString& scaleId)
{
    const Workload* workload = WorkloadCatalog::instance().find(workloadId);
    const WorkloadScale* scale = workload ? workload->scale(scaleId) : nullptr;
    const QString preset = scale ? scale->preset.value("precision"_L1).toString() : QString();
    return {preset.isEmpty() ? u"fp32"_s : preset};
}

Result<StudySpec> StudySpec::fromJson(const QByteArray& json, const QString& fileName)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, fileName);
    if (!parsed)
        return parsed.failure();
    if (const Result<void> once = checkKeysOnce(json, fileName); !once)
        return once.failure();
    JsonFields f(parsed.value(), fileName);
    f.checkFormat(u"scalebench.study"_s, 2);
    f.allowOnly(kKeys);

    StudySpec s;
    s.name = visibleLine(f.text(u"name"_s, s.name)).left(1000);
    s.workload = f.line(u"workload"_s, s.workload);
    s.scale = f.line(u"scale"_s, s.scale);
    s.device = f.line(u"device"_s, s.device);
    s.workloads = readWorkloads(f);
    if (!s.workloads.isEmpty())
        s.workload = s.workloads.first().workload;
    s.settings = readSettings(f, {});
    s.stopAfterTarget = f.boolean(u"stop_after_target"_s, false);
    s.maxMinutes = f.count(u"max_minutes"_s, 0, 0, 1'000'000);
    const bool fixed = s.workloads.isEmpty() && !s.settings.contains(u"precision"_s);
    s.precisions = shortList(f, u"precisions"_s,
                             fixed ? defaultPrecisions(s.workload, s.scale) : QStringList());
    if (f.has(u"precisions"_s) && s.precisions.isEmpty() && !f.failed())
        f.fail(u"precision_missing"_s,
               Launcher::tr(
                   "%1: \"precisions\" is empty. Give at least one precision, or leave it out.")
                   .arg(fileName));
    s.workers = f.integerList(u"workers"_s, s.workers);
    s.machine = f.line(u"machine"_s, s.machine);
    s.shapes = readShapes(f);
    s.order = f.line(u"order"_s, s.order);
    s.exclusive = f.boolean(u"exclusive"_s, s.exclusive);
    s.retries = f.whole(u"retries"_s, s.retries);
    s.batchPolicy = f.line(u"batch_policy"_s, s.batchPolicy);
    s.globalBatch = f.whole(u"global_batch"_s, s.globalBatch);
    s.batchTable = readBatchTable(f);
    s.epochs = f.whole(u"epochs"_s, s.epochs);
    readTarget(f, s.target, s.noTarget);
    const qint64 seed = f.integer(u"seed"_s, qint64(s.seed));
    if (seed < 0)
        f.fail(u"seed_invalid"_s, Launcher::tr("%1: \"seed\" must not be negative.").arg(fileName));
    s.seed = quint64(seed);
    s.repeats = f.whole(u"repeats"_s, s.repeats);
    s.threadsPerWorker = f.whole(u"threads_per_worker"_s, s.threadsPerWorker);
    s.data = f.line(u"data"_s, s.data);
    if (const QString dir = f.line(u"data_dir"_s, {}); !dir.isEmpty())
        s.data = dir;
    s.model = f.line(u"model"_s, s.model);
    if (f.has(u"learning_rate"_s) && !f.isNull(u"learning_rate"_s))
        s.learningRate = f.number(u"learning_rate"_s, 0);
    s.oversubscribe = f.boolean(u"oversubscribe"_s, s.oversubscribe);
    s.options = readOptions(f);
    if (!f.has(u"workload"_s) && !f.has(u"workloads"_s))
        f.fail(u"workload_missing"_s,
               Launcher::tr("%1: no workload is named. Add for example \"workload\": \"resnet\".")
                   .arg(fileName));
    if (f.failed())
        return f.failure();
    return s;
}

QJsonObject StudySpec::toJson() const
{
    const bool isVersion1 =
        settings.isEmpty() && workloads.isEmpty() && maxMinutes == 0 && !stopAfterTarget;
    QJsonObject o{{u"format"_s, u"scalebench.study"_s},
                  {u"version"_s, isVersion1 ? 1 : 2},
                  {u"name"_s, name},
                  {u"workload"_s, workload},
                  {u"scale"_s, scale},
                  {u"device"_s, device},
                  {u"batch_policy"_s, batchPolicy},
                  {u"global_batch"_s, globalBatch},
                  {u"epochs"_s, epochs},
                  {u"seed"_s, qint64(seed)},
                  {u"repeats"_s, repeats},
                  {u"threads_per_worker"_s, threadsPerWorker},
                  {u"data"_s, data},
                  {u"model"_s, model},
                  {u"oversubscribe"_s, oversubscribe}};
    QJsonArray counts;
    for (int count : workers)
        counts << count;
    o.insert(u"workers"_s, counts);
    if (!machine.isEmpty())
        o.insert(u"machine"_s, machine);
    if (!shapes.isEmpty()) {
        QJsonArray texts;
        for (const Shape& shape : shapes)
            texts << shape.text();
        o.insert(u"shapes"_s, texts);
    }
    o.insert(u"order"_s, order);
    o.insert(u"retries"_s, retries);
    o.insert(u"exclusive"_s, exclusive);
    if (!batchTable.isEmpty())
        o.insert(u"batch_table"_s, scalebench::toJson(batchTable));
    if (!precisions.isEmpty())
        o.insert(u"precisions"_s, QJsonArray::fromStringList(precisions));
    if (noTarget)
        o.insert(u"target"_s, QJsonValue::Null);
    else if (target)
        o.insert(u"target"_s, *target);
    if (learningRate)
        o.insert(u"learning_rate"_s, *learningRate);
    o.insert(u"options"_s, options.toJson());
    if (maxMinutes > 0)
        o.insert(u"max_minutes"_s, maxMinutes);
    if (stopAfterTarget)
        o.insert(u"stop_after_target"_s, true);
    if (!workloads.isEmpty()) {
        QJsonArray list;
        for (const WorkloadPlan& plan : workloads)
            list << scalebench::toJson(plan);
        o.insert(u"workloads"_s, list);
        o.remove(u"workload"_s);
    }
    if (!settings.isEmpty())
        o.insert(u"settings"_s, scalebench::toJson(settings));
    for (const QString& path : settings.keys()) // told once
        if (const Dimension* d = findDimension(path); d && !d->studyKey.isEmpty())
            o = withoutValueAt(o, d->studyKey);
    return o;
}

} // namespace scalebench
