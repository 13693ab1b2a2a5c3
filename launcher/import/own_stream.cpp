// SPDX-License-Identifier: GPL-3.0-or-later
#include "own_stream.h"
#include "base/translated.h"

#include "mlperf_log.h"

#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

QString word(const QJsonObject& object, QLatin1StringView key)
{
    return object.value(key).toString().simplified().left(200);
}

int countOf(const QJsonObject& object, QLatin1StringView key)
{
    const double number = object.value(key).toDouble();
    return number >= 1 && number <= 1e6 ? int(number) : 0;
}

QList<MetricValue> numbersIn(const QJsonObject& object)
{
    QList<MetricValue> values;
    for (auto it = object.begin(); it != object.end() && values.size() < kMostMetrics; ++it)
        if (const auto number = numberOf(it.value()); number && isMetricName(it.key()))
            values << MetricValue{it.key(), *number};
    return values;
}

void readSetup(const QJsonObject& setup, OwnSettings& own)
{
    own.workers = countOf(setup, "workers"_L1);
    own.nodes = countOf(setup, "nodes"_L1);
    own.threads = countOf(setup, "threads_per_worker"_L1);
    own.model = word(setup, "model"_L1);
    own.precision = word(setup, "precision"_L1);
    own.computePrecision = word(setup, "compute_precision"_L1);
    own.data = word(setup, "data"_L1);
    own.oversubscribed = setup.value("oversubscribed"_L1).toBool();
    const QJsonValue target = setup.value("target"_L1);
    own.targets = numbersIn(target.toObject());
    if (const auto number = numberOf(target))
        own.targets = {{QString(), *number}};
    // What "switches" has besides depends on the number of workers and would part a series.
    for (const QString& key : {u"overlap"_s, u"sync_bn"_s})
        if (const QJsonValue value = setup.value(key); value.isBool())
            own.options.insert(u"options."_s + key, value.toBool() ? u"true"_s : u"false"_s);
    if (const auto bucket = numberOf(setup.value("bucket_mb"_L1)))
        own.options.insert(u"options.bucket_mb"_s, QString::number(*bucket, 'g', 12));
    if (const int epochs = countOf(setup, "epochs"_L1); epochs > 0)
        own.options.insert(u"epochs"_s, QString::number(epochs));
}

} // namespace

void readOwnRecord(const MlperfLine& line, std::optional<OwnSettings>& own)
{
    if (line.own && !own)
        own.emplace();
    if (!own)
        return;
    const QJsonObject value = line.value.toObject();
    if (line.own && line.key == "setup"_L1)
        readSetup(value, *own);
    else if (line.own && line.key == "worker"_L1 && own->device.isEmpty())
        own->device = word(value, "device"_L1);
    else if (line.key == "opt_base_learning_rate"_L1)
        own->learningRate = std::max(0.0, numberOf(line.value).value_or(0));
    else if (line.key == "opt_name"_L1)
        own->options.insert(u"optimizer.name"_s, line.value.toString().simplified().left(200));
    else if (line.key == "tracked_stats"_L1)
        own->throughput = std::max(0.0, numberOf(value.value("throughput"_L1)).value_or(0));
}

QList<MetricValue> ownMetrics(const MlperfLine& line)
{
    return numbersIn(line.metadata.value("metrics"_L1).toObject());
}

void takeOwnSettings(const OwnSettings& own, ImportedRun& run)
{
    if (run.workers() == 0 && own.workers > 0) { // not told by a person
        (own.device == "cpu"_L1 ? run.processors : run.accelerators) = own.workers;
        run.acceleratorsFrom = u"log"_s;
    }
    if (own.nodes > 0)
        run.nodes = own.nodes;
    run.accelerator = own.device;
    run.threads = own.threads;
    run.learningRate = own.learningRate;
    run.model = own.model;
    run.precision = own.precision;
    run.computePrecision = own.computePrecision;
    run.dataSource = own.data;
    run.oversubscribed = own.oversubscribed;
    run.settings = own.options;
    run.throughput = own.throughput;
}

} // namespace scalebench::imports
