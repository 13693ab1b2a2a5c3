// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_setup.h"

#include "engine/core/processors.h"
#include "engine/report/system_info.h"
#include "engine/workloads/registry.h"

#include <unistd.h>

namespace scalebench::train {

using report::Json;

report::RunHeader runHeader(const RunConfig& config, const dist::Communicator& communicator)
{
    const int sockets = report::cpuSockets();
    const std::string workers = std::to_string(communicator.size()) +
                                (config.device == "cuda" ? " GPU worker" : " CPU worker") +
                                (communicator.size() == 1 ? "" : "s");
    return {SB_VERSION,
            config.runId,
            config.study,
            config.workload,
            std::to_string(communicator.nodes() * sockets) + "x " + report::cpuModel() + ", " +
                workers,
            workloads::findWorkload(config.workload).mlperf};
}

static double warmupEpochs(const RunConfig& config, int64_t stepsPerEpoch)
{
    const ScheduleLengths& lengths = config.scheduleLengths;
    return lengths.unit == LengthUnit::Epochs ? lengths.warmup
                                              : lengths.warmup / double(stepsPerEpoch);
}

report::Hyperparameters hyperparameters(const RunConfig& config, const workloads::DataSizes& sizes)
{
    report::Hyperparameters values;
    values.seed = config.seed;
    values.globalBatch = config.globalBatch;
    values.optimizer = optimizerName(config.optimizer.kind);
    values.baseLearningRate = config.schedule.baseLearningRate;
    values.weightDecay = config.optimizer.weightDecay;
    values.warmupEpochs = warmupEpochs(config, sizes.batchUnits() / config.globalBatch);
    values.gradAccumulation = config.options.gradAccum;
    values.trainSamples = sizes.trainSamples;
    values.evalSamples = sizes.evalSamples;
    values.dataSource = dataSourceName(config.data.source);
    return values;
}

/// A number where only the leading metric has one, as the protocol had it first.
static Json targetsOf(const RunConfig& config)
{
    if (config.targets.empty())
        return nullptr;
    const auto& leading = workloads::findWorkload(config.workload).metrics.front();
    if (config.targets.size() == 1 && config.targets[0].metric == leading.name)
        return config.targets[0].value;
    Json targets = Json::object();
    for (const Target& target : config.targets)
        targets[target.metric] = target.value;
    return targets;
}

Json switches(const RunConfig& config, const workloads::Workload& workload, int workers,
              const std::string& graphsNote)
{
    const OptionsConfig& o = config.options;
    const auto onOff = [](bool on) { return on ? "on" : "off"; };
    const auto needsWorkers = [&](bool on) {
        return on && workers == 1 ? "off: one worker has nobody to talk to" : onOff(on);
    };
    const std::string note = workload.packingNote();
    return {{"overlap", needsWorkers(o.overlap)},
            {"cuda_graphs", graphsNote},
            {"autotune", onOff(o.autotune && config.device == "cuda")},
            {"pack_sequences", o.packSequences && !note.empty()
                                   ? "off: " + note
                                   : std::string(onOff(o.packSequences))},
            {"async_eval", onOff(o.asyncEval)},
            {"align_batch", onOff(o.alignBatch)},
            {"fused_optimizer", onOff(config.optimizer.fused)},
            {"sync_bn", needsWorkers(o.syncBn)},
            {"bucket_mb", o.bucketMb},
            {"grad_accum", o.gradAccum},
            {"loss_scale", o.lossScale < 0    ? Json("dynamic")
                           : o.lossScale == 0 ? Json("none")
                                              : Json(o.lossScale)}};
}

/// How many rows have copies, or why none.
static Json hotRows(const RunConfig& config, const ParameterSet& parameters, int workers)
{
    if (config.options.hotRows == 0)
        return "off";
    if (parameters.copies() >= 0)
        return int64_t(parameters.copiedRows().size());
    if (workers == 1)
        return "off: one worker has all rows";
    return parameters.hasOwnedTables() ? "off: no row is asked for twice"
                                       : "off: no worker owns tables";
}

/// Also without being asked for, where the workers have one copy of the parameters.
static Json shardedOptimizer(const RunConfig& config, Replica& replica)
{
    const bool asked = config.options.shardOptimizer;
    if (!replica.reducer().sharded())
        return asked ? "off: there is nobody to share with, or too little to share" : "off";
    return asked ? "on" : "on: the workers have one copy of the parameters in common";
}

Json setupRecord(const RunConfig& config, Replica& replica, const workloads::Workload& workload,
                 const workloads::DataSizes& sizes, const dist::Communicator& communicator,
                 int64_t wantedBatch)
{
    const ComputePrecision& compute = replica.network().precision();
    const auto metrics = workloads::findWorkload(config.workload).metrics;
    Json record = {
        {"model", config.model},
        {"parameters", replica.parameters().trainableCount()},
        {"precision", config.precision},
        {"compute_precision", precisionName(compute.precision)},
        {"precision_note", compute.reason},
        {"target", targetsOf(config)},
        {"metric", metrics.front().name},
        {"epochs", config.epochs},
        {"steps_per_epoch", sizes.batchUnits() / config.globalBatch},
        {"workers", communicator.size()},
        {"nodes", communicator.nodes()},
        {"threads_per_worker", config.threadsPerWorker},
        {"oversubscribed", config.oversubscribed},
        {"global_batch", config.globalBatch},
        {"global_batch_wanted", wantedBatch},
        {"local_batch", config.localBatch()},
        {"batch_unit", sizes.trainTokens > 0 ? "tokens" : "samples"},
        {"bucket_mb", config.options.bucketMb},
        {"overlap", config.options.overlap},
        {"sync_bn", config.options.syncBn},
        {"allreduce", replica.reducer().method()},
        {"optimizer", replica.optimizer().describe()},
        {"switches", switches(config, workload, communicator.size(), replica.graphsNote())},
        {"data", dataSourceName(config.data.source)},
        {"dropped_per_epoch", sizes.batchUnits() % config.globalBatch}};
    record["switches"]["shard_optimizer"] = shardedOptimizer(config, replica);
    record["switches"]["hot_rows"] = hotRows(config, replica.parameters(), communicator.size());
    for (const auto& [name, value] : workload.dataFacts())
        record["data_facts"][name] = value;
    if (metrics.size() > 1)
        for (const workloads::MetricInfo& metric : metrics)
            record["metrics"].push_back(metric.name);
    return record;
}

std::vector<report::WorkerInfo>
introduceWorkers(const RunConfig& config, const std::string& deviceName, dist::Communicator& comm)
{
    const Json mine = {{"rank", comm.rank()},
                       {"local_rank", comm.localRank()},
                       {"node", comm.node()},
                       {"host", comm.hostName()},
                       {"pid", int64_t(::getpid())},
                       {"device_name", deviceName},
                       {"cpus", processorList(processorsOfThread())}};
    std::vector<report::WorkerInfo> workers;
    for (const std::string& text :
         comm.allGather(mine.dump(-1, ' ', false, Json::error_handler_t::replace))) {
        const Json w = Json::parse(text);
        workers.push_back({w["rank"], w["local_rank"], w["node"], w["host"], w["pid"],
                           config.device, w["device_name"], config.threadsPerWorker, w["cpus"]});
    }
    return workers;
}

} // namespace scalebench::train
