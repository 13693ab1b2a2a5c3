// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/run_stream.h"

namespace scalebench::report {

void RunStream::point(const std::string& key, const Json& value, Json metadata)
{
    writer_.write("", EventType::PointInTime, key, value, std::move(metadata));
}

void RunStream::start(const std::string& key, Json metadata)
{
    writer_.write("", EventType::IntervalStart, key, nullptr, std::move(metadata));
}

void RunStream::end(const std::string& key, Json metadata)
{
    writer_.write("", EventType::IntervalEnd, key, nullptr, std::move(metadata));
}

void RunStream::own(const std::string& key, const Json& value, Json metadata)
{
    writer_.write("scalebench", EventType::PointInTime, key, value, std::move(metadata));
}

void RunStream::header(const RunHeader& header)
{
    own("stream", {{"version", 1},
                   {"engine", header.engineVersion},
                   {"run_id", header.runId},
                   {"study", header.study}});
    if (header.mlperf.empty())
        point("submission_benchmark", header.benchmark);
    else
        point("submission_benchmark", header.mlperf, {{"workload", header.benchmark}});
    point("submission_org", "Scalebench user (unverified)");
    point("submission_division", "open");
    point("submission_status", "onprem");
    point("submission_platform", header.platform);
    point("cache_clear", false); // MLPerf's checker wants the line, with any value
}

void RunStream::initStart()
{
    start("init_start");
}

void RunStream::hyperparameters(const Hyperparameters& values)
{
    point("seed", values.seed);
    point("global_batch_size", values.globalBatch);
    point("opt_name", values.optimizer);
    point("opt_base_learning_rate", values.baseLearningRate);
    point("opt_weight_decay", values.weightDecay);
    point("opt_learning_rate_warmup_epochs", values.warmupEpochs);
    point("gradient_accumulation_steps", values.gradAccumulation);
    point("train_samples", values.trainSamples, {{"data", values.dataSource}});
    point("eval_samples", values.evalSamples, {{"data", values.dataSource}});
}

void RunStream::worker(const WorkerInfo& info)
{
    own("worker", {{"rank", info.rank},
                   {"local_rank", info.localRank},
                   {"node", info.node},
                   {"host", info.host},
                   {"pid", info.pid},
                   {"device", info.device},
                   {"device_name", info.deviceName},
                   {"threads", info.threads},
                   {"cpus", info.cpus}});
}

void RunStream::setup(const Json& value)
{
    own("setup", value);
}
void RunStream::initStop()
{
    end("init_stop");
}
void RunStream::runStart()
{
    start("run_start");
}
void RunStream::epochStart(int epoch)
{
    start("epoch_start", {{"epoch_num", epoch}});
}
void RunStream::epochStop(int epoch, int64_t samplesSeen)
{
    end("epoch_stop", {{"epoch_num", epoch}, {"samples_count", samplesSeen}});
}

/// What the threads that make batches did, where they did anything.
static void addInputTimes(const InputTimes& made, Json& value)
{
    if (made.readMs + made.decodeMs + made.augmentMs <= 0)
        return;
    value["read_ms"] = made.readMs;
    value["decode_ms"] = made.decodeMs;
    value["augment_ms"] = made.augmentMs;
}

void RunStream::step(const StepRecord& r)
{
    Json value = {{"step", r.step},
                  {"epoch", r.epoch},
                  {"samples", r.samples},
                  {"loss", r.loss},
                  {"learning_rate", r.learningRate},
                  {"samples_per_s", r.samplesPerSecond},
                  {"step_ms", r.stepMs},
                  {"compute_ms", r.computeMs},
                  {"comm_ms", r.commMs},
                  {"input_ms", r.inputMs},
                  {"other_ms", r.otherMs}};
    if (r.rowsMs > 0)
        value["rows_ms"] = r.rowsMs;
    addInputTimes(r.made, value);
    own("step", value, {{"step", r.step}});
}

/// A whole number where it is one, as the epochs of most runs are.
static Json epochNumber(double epoch)
{
    const auto whole = int64_t(epoch);
    return double(whole) == epoch ? Json(whole) : Json(epoch);
}

void RunStream::evalStart(double epoch)
{
    start("eval_start", {{"epoch_num", epochNumber(epoch)}});
}

void RunStream::evalAccuracy(double epoch, int64_t samplesSeen, const EvalRecord& record)
{
    Json metadata = {{"epoch_num", epochNumber(epoch)}, {"samples_count", samplesSeen}};
    if (record.total >= 0) {
        metadata["correct"] = record.correct;
        metadata["total"] = record.total;
    }
    if (!record.metrics.is_null())
        metadata["metrics"] = record.metrics;
    if (record.outOf != 1)
        metadata["out_of"] = record.outOf;
    point("eval_accuracy",
          record.mlperf.is_null() ? Json(record.value / record.outOf) : record.mlperf,
          std::move(metadata));
}

void RunStream::evalStop(double epoch)
{
    end("eval_stop", {{"epoch_num", epochNumber(epoch)}});
}

void RunStream::throughput(int epoch, int64_t step, double samplesPerSecond)
{
    point("tracked_stats", {{"throughput", samplesPerSecond}},
          {{"epoch_num", epoch}, {"step", step}});
}

/// What the host does not tell is left out.
static Json hostJson(const HostLoad& h)
{
    Json host = {{"node", h.node},       {"host", h.host},
                 {"seconds", h.seconds}, {"processors", h.processors},
                 {"own", h.own},         {"others", h.others},
                 {"stolen", h.stolen},   {"swapped_bytes", h.swappedBytes}};
    if (h.clockMhz > 0)
        host["clock_mhz"] = h.clockMhz;
    if (h.memoryBytes > 0) {
        host["memory_bytes"] = h.memoryBytes;
        host["memory_used_bytes"] = h.memoryUsedBytes;
    }
    if (h.sentBytes > 0 || h.receivedBytes > 0) {
        host["sent_bytes"] = h.sentBytes;
        host["received_bytes"] = h.receivedBytes;
    }
    if (h.energyJ > 0)
        host["energy_j"] = h.energyJ;
    return host;
}

void RunStream::epochSplit(const EpochSplit& split)
{
    Json ranks = Json::array();
    for (const RankSplit& r : split.ranks) {
        ranks.push_back({{"rank", r.rank},
                         {"step_ms", r.stepMs},
                         {"compute_ms", r.computeMs},
                         {"comm_ms", r.commMs},
                         {"input_ms", r.inputMs},
                         {"other_ms", r.otherMs},
                         {"eval_ms", r.evalMs}});
        if (r.rowsMs > 0)
            ranks.back()["rows_ms"] = r.rowsMs;
        addInputTimes(r.made, ranks.back());
    }
    Json hosts = Json::array();
    for (const HostLoad& h : split.hosts)
        hosts.push_back(hostJson(h));
    Json value = {{"epoch", split.epoch},          {"ranks", std::move(ranks)},
                  {"bytes_read", split.bytesRead}, {"eval_s", split.evalS},
                  {"train_s", split.trainS},       {"train_loss", split.trainLoss}};
    if (!hosts.empty())
        value["hosts"] = std::move(hosts);
    own("epoch_split", value);
}

void RunStream::checkpoint(int epoch, int64_t step)
{
    own("checkpoint", {{"epoch", epoch}, {"step", step}});
}

void RunStream::resume(int epoch, int64_t step, int64_t pauseMs)
{
    own("resume", {{"epoch", epoch}, {"step", step}, {"pause_ms", pauseMs}});
}

void RunStream::progress(const std::string& phase, int64_t done, int64_t total)
{
    own("progress", {{"phase", phase}, {"done", done}, {"total", total}});
}

void RunStream::gpu(const Json& value)
{
    own("gpu", value);
}

void RunStream::warning(const std::string& code, const std::string& message)
{
    own("warning", {{"code", code}, {"message", message}});
}

void RunStream::error(const std::string& code, const std::string& message, int rank,
                      const std::string& host)
{
    own("error", {{"code", code}, {"message", message}, {"rank", rank}, {"host", host}});
}

void RunStream::runStop(const std::string& status, const std::string& reason, int epoch,
                        int64_t samplesSeen)
{
    end("run_stop", {{"status", status},
                     {"reason", reason},
                     {"epoch_num", epoch},
                     {"samples_count", samplesSeen}});
    writer_.finish();
}

} // namespace scalebench::report
