// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/load_run_config.h"

#include "engine/config/settings_reader.h"
#include "engine/workloads/registry.h"
#include "kernels/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <sstream>

namespace scalebench::train {

namespace fs = std::filesystem;

namespace {

/// The keys that every workload has; the workload reads the rest.
void readData(SettingsReader& in, DataConfig& data)
{
    std::string source = "generated";
    in.text("source", source);
    if (source == "generated")
        data.source = DataSource::Generated;
    else if (source == "files")
        data.source = DataSource::Files;
    else if (source == "synthetic")
        data.source = DataSource::Synthetic;
    else
        refuseSetting("\"data.source\" is \"" + source +
                      "\", expected generated, files or synthetic");
    in.text("path", data.path);
    in.integer("train_samples", data.trainSamples, 0, int64_t{1} << 32);
    in.integer("eval_samples", data.evalSamples, 0, int64_t{1} << 32);
    if (data.source != DataSource::Synthetic && data.path.empty())
        refuseSetting("\"data.path\" is missing");
}

void readWorkload(const workloads::WorkloadEntry& entry, const nlohmann::json& model,
                  const nlohmann::json& data, RunConfig& run)
{
    SettingsReader modelKeys(model, "model"), dataKeys(data, "data");
    modelKeys.text("name", run.model);
    readData(dataKeys, run.data);
    workloads::RecipeKeys keys{modelKeys, dataKeys};
    run.recipe = entry.parse(run, keys);
    modelKeys.finish();
    dataKeys.finish();
}

/// InvalidArgument unless all are metrics that the workload has.
void requireMetrics(const nlohmann::json& targets, const workloads::WorkloadEntry& workload)
{
    std::string known;
    for (const workloads::MetricInfo& metric : workload.metrics)
        known.append(known.empty() ? "" : ", ").append(metric.name);
    for (const auto& [name, value] : targets.items())
        if (std::ranges::find(workload.metrics, name, &workloads::MetricInfo::name) ==
            workload.metrics.end())
            refuseSetting("\"target." + name + "\" is no metric of " + workload.id + ", expected " +
                          known);
}

/// A number for the leading metric, or an object of numbers by metric.
void readTargets(SettingsReader& in, const workloads::WorkloadEntry& workload,
                 std::vector<Target>& targets)
{
    const std::span<const workloads::MetricInfo> metrics = workload.metrics;
    const nlohmann::json* json = in.find("target");
    if (json == nullptr || json->is_null())
        return;
    if (!json->is_object()) {
        double value = 0;
        in.number("target", value, 0, metrics.front().best);
        targets.push_back({metrics.front().name, value});
        return;
    }
    requireMetrics(*json, workload);
    SettingsReader object(*json, "target");
    for (const workloads::MetricInfo& metric : metrics) {
        std::optional<double> value;
        object.number(metric.name, value, 0, metric.best);
        if (value)
            targets.push_back({metric.name, *value});
    }
    object.finish();
}

/// A value of a table, or a refusal that lists it.
template <typename Parse>
auto oneOf(SettingsReader& in, const char* key, const std::string& fallback, const Parse& parse)
{
    std::string name = fallback;
    in.text(key, name);
    try {
        return parse(name);
    } catch (const InvalidArgument& e) {
        const std::string why = e.what();
        refuseSetting(why.starts_with('"') ? why : '"' + in.full(key) + "\": " + why);
    }
}

void readOptimizer(const nlohmann::json& json, RunConfig& run)
{
    SettingsReader in(json, "optimizer");
    OptimizerConfig& o = run.optimizer;
    o = optimizerDefaults(oneOf(in, "name", "sgd", parseOptimizerKind));
    o.weightDecay = 0;
    in.number("momentum", o.momentum, 0, 0.9999);
    in.flag("nesterov", o.nesterov);
    in.number("weight_decay", o.weightDecay, 0, 1);
    in.texts("no_decay", o.noDecay);
    in.number("no_decay_rate_factor", o.noDecayRateFactor, 0, 1000);
    in.number("beta1", o.beta1, 0, 0.99999);
    in.number("beta2", o.beta2, 0, 0.9999999);
    in.number("epsilon", o.epsilon, 0, 1);
    in.number("clip_norm", o.maxGradNorm, 0, 1e12);
    in.number("lars_eta", o.larsEta, 1e-12, 1e6);
    in.number("lars_epsilon", o.larsEpsilon, 0, 1);
    in.flag("lars_rate_in_momentum", o.larsRateInMomentum);
    in.flag("lamb_adapt_all", o.lambAdaptAll);
    in.flag("normalise_gradient", o.normaliseGradient);
    in.number("label_smoothing", run.labelSmoothing, 0, 0.9);
    in.finish();
    if (o.normaliseGradient && !json.contains("clip_norm"))
        o.maxGradNorm = 0; // LAMB's default, which the division replaces
    try {
        validate(o);
    } catch (const InvalidArgument& e) {
        refuseSetting(e.what());
    }
}

void readWarmup(SettingsReader& in, RunConfig& run)
{
    ScheduleConfig& s = run.schedule;
    ScheduleLengths& lengths = run.scheduleLengths;
    in.number("warmup", lengths.warmup, 0, 1e12);
    if (in.find("warmup_epochs") != nullptr && lengths.unit == LengthUnit::Steps)
        refuseSetting("\"schedule.warmup_epochs\" does not go with \"schedule.length_unit\" "
                      "steps: give \"schedule.warmup\"");
    in.number("warmup_epochs", lengths.warmup, 0, 1e6);
    in.number("warmup_start_factor", s.warmupStartFactor, 0, 1);
    s.warmupCurve = oneOf(in, "warmup_curve", "linear", [](const std::string& name) {
        if (name != "linear" && name != "exponential")
            throw InvalidArgument("\"schedule.warmup_curve\" is \"" + name +
                                  "\", expected linear or exponential");
        return name == "linear" ? WarmupCurve::Linear : WarmupCurve::Exponential;
    });
    in.integer("start_warmup_step", s.startWarmupStep, -(int64_t{1} << 31), int64_t{1} << 31);
}

void readSchedule(const nlohmann::json& json, RunConfig& run)
{
    SettingsReader in(json, "schedule");
    ScheduleConfig& s = run.schedule;
    ScheduleLengths& lengths = run.scheduleLengths;
    s.kind = oneOf(in, "name", "constant", parseScheduleKind);
    in.number("base_lr", s.baseLearningRate, 1e-12, 1e12);
    in.number("end_lr", s.endLearningRate, 0, 1e12);
    in.number("gamma", s.stepGamma, 1e-12, 1);
    in.number("power", s.power, 0.01, 100);
    in.flag("decay_from_start", s.decayFromStart);
    lengths.unit = oneOf(in, "length_unit", "epochs", [](const std::string& name) {
        if (name != "epochs" && name != "steps")
            throw InvalidArgument("\"schedule.length_unit\" is \"" + name +
                                  "\", expected epochs or steps");
        return name == "epochs" ? LengthUnit::Epochs : LengthUnit::Steps;
    });
    readWarmup(in, run);
    in.number("decay_start", lengths.decayStart, 0, 1e12);
    in.number("decay_length", lengths.decay, 0, 1e12);
    if (const nlohmann::json* milestones = in.find("milestones")) {
        if (!milestones->is_array())
            in.wrong("milestones", "a list of epochs", *milestones);
        for (const nlohmann::json& value : *milestones) {
            const bool rises =
                value.is_number() && value.get<double>() > 0 &&
                (lengths.milestones.empty() || value.get<double>() > lengths.milestones.back());
            if (!rises)
                in.wrong("milestones", "a rising list of epochs", *milestones);
            lengths.milestones.push_back(value.get<double>());
        }
    }
    in.finish();
}

void readOptions(const nlohmann::json& json, RunConfig& run)
{
    OptionsConfig& options = run.options;
    SettingsReader in(json, "options");
    in.flag("sync_bn", options.syncBn);
    in.number("bucket_mb", options.bucketMb, 0.001, 4096);
    in.flag("overlap", options.overlap);
    in.integer("grad_accum", options.gradAccum, 1, 1 << 16);
    in.text("allreduce", options.allReduce);
    constexpr std::array ways = {"auto", "shm", "mpi", "nccl", "staged"};
    if (std::ranges::find(ways, options.allReduce) == ways.end())
        refuseSetting("\"options.allreduce\" is \"" + options.allReduce +
                      "\", expected auto, shm or mpi (device cuda: auto, nccl or staged)");
    in.flag("shard_optimizer", options.shardOptimizer);
    in.flag("fused_optimizer", run.optimizer.fused);
    in.flag("bind_threads", options.bindThreads);
    in.flag("async_eval", options.asyncEval);
    in.flag("pack_sequences", options.packSequences);
    in.flag("align_batch", options.alignBatch);
    in.flag("cuda_graphs", options.cudaGraphs);
    in.flag("autotune", options.autotune);
    in.number("loss_scale", options.lossScale, -1, 1 << 30);
    in.integer("memory_limit_mb", options.memoryLimitMb, 0);
    in.integer("checkpoint_every", options.checkpointEvery, 0, 1 << 20);
    in.number("collective_timeout_s", options.collectiveTimeoutS, 0, 86400);
    in.integer("hot_rows", options.hotRows, 0, 1 << 30);
    in.integer("input_threads", options.inputThreads, 0, 4096);
    in.finish();
}

void readEvalCadence(SettingsReader& in, int64_t globalBatch, EvalCadence& cadence)
{
    constexpr const char* kBertRule = "mlperf_bert";
    bool byRule = false;
    cadence.unit = oneOf(in, "eval_unit", "epochs", [&byRule](const std::string& name) {
        if (name == "epochs")
            return EvalUnit::Epochs;
        byRule = name == kBertRule;
        if (name != "steps" && name != "samples" && !byRule)
            throw InvalidArgument("\"eval_unit\" is \"" + name +
                                  "\", expected epochs, steps, samples or " + kBertRule);
        return name == "steps" ? EvalUnit::Steps : EvalUnit::Samples;
    });
    if (byRule)
        cadence = EvalCadence::ofBert(globalBatch);
    else
        in.integer("eval_every", cadence.every, 1, int64_t{1} << 40);
    cadence.first = cadence.every;
    in.integer("eval_first", cadence.first, 1, int64_t{1} << 40);
}

void readTop(const nlohmann::json& json, RunConfig& run)
{
    SettingsReader in(json, "");
    for (const char* key : {"format", "version", "run_id", "workload", "model", "data", "workers",
                            "global_batch", "epochs"})
        in.require(key);
    std::string format;
    in.text("format", format);
    if (format != "scalebench.run")
        refuseSetting("\"format\" is \"" + format + "\", expected scalebench.run");
    int version = 1;
    in.integer("version", version, 1);
    if (version > 1)
        refuseSetting("version " + std::to_string(version) +
                      " is newer than this engine understands (1); update Scalebench");
    in.text("study", run.study);
    in.text("run_id", run.runId);
    in.text("workload", run.workload);
    const workloads::WorkloadEntry& workload = workloads::findWorkload(run.workload);
    in.text("scale", run.scale);
    readWorkload(workload, *in.find("model"), *in.find("data"), run);
    in.text("device", run.device);
    if (run.device != "cpu" && run.device != "cuda")
        refuseSetting("\"device\" is \"" + run.device + "\", expected cpu or cuda");
    in.text("precision", run.precision);
    if (run.precision != "fp32" && run.precision != "bf16" && run.precision != "fp16")
        refuseSetting("\"precision\" is \"" + run.precision + "\", expected fp32, bf16 or fp16");
    in.integer("nodes", run.nodes, 1);
    in.find("hosts");   // the launcher's: where mpirun starts the ranks
    in.find("machine"); // and what it calls them all
    in.integer("workers", run.workers, 1, 1 << 20);
    in.integer("threads_per_worker", run.threadsPerWorker, 1, 4096);
    in.flag("oversubscribed", run.oversubscribed);
    in.text("batch_policy", run.batchPolicy);
    in.integer("global_batch", run.globalBatch, 1, int64_t{1} << 31);
    if (const nlohmann::json* value = in.find("optimizer"))
        readOptimizer(*value, run);
    if (const nlohmann::json* value = in.find("schedule"))
        readSchedule(*value, run);
    in.integer("epochs", run.epochs, 1, 1 << 20);
    readTargets(in, workload, run.targets);
    readEvalCadence(in, run.globalBatch, run.evaluation);
    in.integer("eval_batch", run.evalBatch, 1, int64_t{1} << 31);
    in.integer("seed", run.seed, 0, std::numeric_limits<int64_t>::max());
    in.integer("repeat", run.repeat, 0);
    if (const nlohmann::json* value = in.find("options"))
        readOptions(*value, run);
    in.finish();
}

/// Whoever sends a run's folder chooses what is in it: depth and size have bounds.
nlohmann::json parseSettings(std::string_view text)
{
    constexpr int kDeepest = 64;
    try {
        return nlohmann::json::parse(text, [](int depth, auto, auto&) {
            if (depth > kDeepest)
                refuseSetting("more than " + std::to_string(kDeepest) + " levels deep");
            return true;
        });
    } catch (const nlohmann::json::parse_error& e) {
        refuseSetting("not valid JSON at byte " + std::to_string(e.byte));
    } catch (const nlohmann::json::exception&) { // 1e999
        refuseSetting("it holds a number that no computer can");
    }
}

} // namespace

RunConfig parseRunConfig(std::string_view text)
{
    const nlohmann::json json = parseSettings(text);
    RunConfig run;
    readTop(json, run);
    if (run.globalBatch < run.workers)
        refuseSetting("the global batch of " + std::to_string(run.globalBatch) +
                          " is smaller than the " + std::to_string(run.workers) +
                          " workers: give every worker at least one sample",
                      "batch");
    const int64_t parts = int64_t{run.workers} * run.options.gradAccum;
    if (run.globalBatch % parts != 0)
        refuseSetting("the global batch of " + std::to_string(run.globalBatch) +
                          " cannot be divided evenly over " + std::to_string(run.workers) +
                          " workers x " + std::to_string(run.options.gradAccum) +
                          " accumulation steps; the nearest that can: " +
                          std::to_string(std::max<int64_t>(1, run.globalBatch / parts) * parts),
                      "batch");
    const ScheduleLengths& lengths = run.scheduleLengths;
    if (lengths.unit == LengthUnit::Epochs && lengths.warmup >= run.epochs && lengths.warmup > 0)
        refuseSetting("\"schedule.warmup_epochs\" must be below \"epochs\"");
    if (run.precision == "fp16" && run.options.lossScale == 0)
        run.options.lossScale = -1; // small gradients would vanish
    if (run.data.source == DataSource::Synthetic && !run.targets.empty())
        refuseSetting(
            "\"target\" must be null for synthetic data: random numbers measure throughput only");
    return run;
}

RunConfig loadRunConfig(const std::string& folder)
{
    const std::string path = folder + "/run.json";
    constexpr uintmax_t kMost = 16 << 20;
    std::error_code failed;
    if (!fs::exists(path, failed))
        throw InvalidArgument(
            "cannot read " + path + ". Give --run the folder that holds run.json.", "usage");
    if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) > kMost)
        throw InvalidArgument(path + " is not an ordinary file of some MiB at most.", "usage");
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw InvalidArgument("cannot read " + path + ": no permission.", "usage");
    std::ostringstream text;
    text << in.rdbuf();
    return parseRunConfig(text.str());
}

} // namespace scalebench::train
