// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/run_config.h"

#include "base/checked_names.h"
#include "base/host_names.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "study/workload_catalog.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kMostWorkers = 1'000'000;

static void readIds(JsonFields& f, RunConfig& c)
{
    c.runId = f.text(u"run_id"_s, {});
    c.study = f.text(u"study"_s, {});
    if (const Result<RunId> id = RunId::parse(c.runId); !c.runId.isEmpty() && !id)
        f.fail(id.failure().code, u"%1: \"run_id\": %2"_s.arg(f.fileName(), id.failure().message));
    if (const Result<StudyId> id = StudyId::parse(c.study); !c.study.isEmpty() && !id)
        f.fail(id.failure().code, u"%1: \"study\": %2"_s.arg(f.fileName(), id.failure().message));
}

static void readHosts(JsonFields& f, RunConfig& c)
{
    c.nodes = f.count(u"nodes"_s, 1, 1, kMostHosts);
    c.workers = f.count(u"workers"_s, 1, 1, kMostWorkers);
    c.hosts = f.textList(u"hosts"_s, {});
    for (const QString& host : c.hosts)
        if (const Result<HostName> name = HostName::parse(host); !name)
            f.fail(name.failure().code,
                   u"%1: \"hosts\": %2"_s.arg(f.fileName(), name.failure().message));
    if (!c.hosts.isEmpty() && c.hosts.size() != c.nodes)
        f.fail(u"out_of_range"_s,
               Launcher::tr("%1: \"hosts\" has %2 names for %n node(s).", nullptr, c.nodes)
                   .arg(f.fileName())
                   .arg(c.hosts.size()));
}

/// The metric that a target without a name is of.
static QString leadingMetric(const RunConfig& c, const QStringList& named)
{
    if (const Workload* workload = WorkloadCatalog::instance().find(c.workload))
        return workload->metric;
    return named.size() == 1 ? named.first() : QString();
}

/// null, a number for the leading metric, or an object of numbers by metric.
static void readTargets(JsonFields& f, RunConfig& c)
{
    if (!f.has(u"target"_s) || f.isNull(u"target"_s))
        return;
    if (!f.object().value("target"_L1).isObject()) {
        c.target = f.number(u"target"_s, 0);
        return;
    }
    JsonFields targets(f.child(u"target"_s), f.fileName(), u"target"_s);
    const QStringList named = targets.object().keys();
    if (named.size() > kMostMetrics)
        f.fail(u"out_of_range"_s, Launcher::tr("%1: \"target\" names %2 metrics; %3 is the most.")
                                      .arg(f.fileName())
                                      .arg(named.size())
                                      .arg(kMostMetrics));
    const QString leading = leadingMetric(c, named);
    for (const QString& metric : named) {
        if (!isMetricName(metric))
            f.fail(u"wrong_type"_s,
                   Launcher::tr("%1: \"target\" has \"%2\", which is no name of a metric.")
                       .arg(f.fileName(), visibleLine(metric.left(80))));
        const double value = targets.number(metric, 0);
        if (metric == leading)
            c.target = value;
        else
            c.furtherTargets << MetricValue{metric, value};
    }
    f.take(targets);
}

Result<RunConfig> RunConfig::fromJson(const QByteArray& json, const QString& fileName)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, fileName);
    if (!parsed)
        return parsed.failure();
    return fromObject(parsed.value(), fileName);
}

Result<RunConfig> RunConfig::fromObject(const QJsonObject& object, const QString& fileName)
{
    JsonFields f(object, fileName);
    f.checkFormat(u"scalebench.run"_s, 1);
    RunConfig c;
    c.json = object;
    readIds(f, c);
    c.workload = f.line(u"workload"_s, {});
    c.scale = f.line(u"scale"_s, {});
    JsonFields model(f.child(u"model"_s), fileName, u"model"_s);
    c.model = model.line(u"name"_s, {});
    f.take(model);
    c.device = f.line(u"device"_s, u"cpu"_s);
    c.precision = f.line(u"precision"_s, u"fp32"_s);
    JsonFields data(f.child(u"data"_s), fileName, u"data"_s);
    c.dataSource = data.line(u"source"_s, {});
    c.dataPath = data.line(u"path"_s, {});
    f.take(data);
    readHosts(f, c);
    c.threadsPerWorker = f.count(u"threads_per_worker"_s, 1, 0, 1'000'000);
    c.batchPolicy = f.line(u"batch_policy"_s, u"strong"_s);
    c.globalBatch = f.count(u"global_batch"_s, 0, 0, 2'000'000'000);
    JsonFields schedule(f.child(u"schedule"_s), fileName, u"schedule"_s);
    c.learningRate = schedule.number(u"base_lr"_s, 0);
    f.take(schedule);
    c.epochs = f.count(u"epochs"_s, 0, 0, 2'000'000'000);
    readTargets(f, c);
    c.seed = quint64(f.integer(u"seed"_s, 1));
    c.repeat = f.count(u"repeat"_s, 1, 0, 1'000'000);
    c.oversubscribed = f.boolean(u"oversubscribed"_s, false);
    if (f.failed())
        return f.failure();
    return c;
}

QJsonObject withDataPath(const RunConfig& run, const QString& path)
{
    QJsonObject json = run.json;
    QJsonObject data = json.value("data"_L1).toObject();
    data.insert(u"path"_s, path);
    json.insert(u"data"_s, data);
    return json;
}

} // namespace scalebench
