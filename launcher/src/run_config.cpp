// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/run_config.h"

#include "json_fields.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

Result<RunConfig> RunConfig::fromJson(const QByteArray& json, const QString& fileName)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, fileName);
    if (!parsed)
        return parsed.failure();
    JsonFields f(parsed.value(), fileName);
    f.checkFormat(u"scalebench.run"_s, 1);
    RunConfig c;
    c.json = parsed.value();
    c.runId = f.text(u"run_id"_s, {});
    c.study = f.text(u"study"_s, {});
    c.workload = f.text(u"workload"_s, {});
    c.scale = f.text(u"scale"_s, {});
    JsonFields model(f.child(u"model"_s), fileName, u"model"_s);
    c.model = model.text(u"name"_s, {});
    f.take(model);
    c.device = f.text(u"device"_s, u"cpu"_s);
    c.precision = f.text(u"precision"_s, u"fp32"_s);
    JsonFields data(f.child(u"data"_s), fileName, u"data"_s);
    c.dataSource = data.text(u"source"_s, {});
    c.dataPath = data.text(u"path"_s, {});
    f.take(data);
    c.nodes = int(f.integer(u"nodes"_s, 1));
    c.workers = int(f.integer(u"workers"_s, 1));
    c.hosts = f.textList(u"hosts"_s, {});
    c.threadsPerWorker = int(f.integer(u"threads_per_worker"_s, 1));
    c.batchPolicy = f.text(u"batch_policy"_s, u"strong"_s);
    c.globalBatch = int(f.integer(u"global_batch"_s, 0));
    JsonFields schedule(f.child(u"schedule"_s), fileName, u"schedule"_s);
    c.learningRate = schedule.number(u"base_lr"_s, 0);
    f.take(schedule);
    c.epochs = int(f.integer(u"epochs"_s, 0));
    if (f.has(u"target"_s) && !f.isNull(u"target"_s))
        c.target = f.number(u"target"_s, 0);
    c.seed = quint64(f.integer(u"seed"_s, 1));
    c.repeat = int(f.integer(u"repeat"_s, 1));
    c.oversubscribed = f.boolean(u"oversubscribed"_s, false);
    if (f.failed())
        return f.failure();
    return c;
}

} // namespace scalebench
