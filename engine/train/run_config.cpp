// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_config.h"

#include "kernels/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

namespace scalebench::train {
namespace {

using Json = nlohmann::json;

[[noreturn]] void bad(const std::string& message, const char* code = "usage")
{
    throw InvalidArgument("run.json: " + message, code);
}

std::string inQuotes(const std::string& text)
{
    std::string out;
    out.append(1, '"').append(text).append(1, '"');
    return out;
}

/// Reads one object's keys with type checks; finish() refuses the keys nobody asked for.
class ObjectReader
{
public:
    ObjectReader(const Json& object, std::string path) : object_(object), path_(std::move(path))
    {
        if (!object.is_object())
            bad((path_.empty() ? std::string("the document") : inQuotes(path_)) +
                " must be an object");
    }

    const Json* find(const char* key)
    {
        used_.insert(key);
        const auto it = object_.find(key);
        return it == object_.end() ? nullptr : &*it;
    }
    void text(const char* key, std::string& out)
    {
        if (const Json* value = find(key)) {
            if (!value->is_string())
                wrong(key, "a text", *value);
            out = value->get<std::string>();
        }
    }
    void flag(const char* key, bool& out)
    {
        if (const Json* value = find(key)) {
            if (!value->is_boolean())
                wrong(key, "true or false", *value);
            out = value->get<bool>();
        }
    }
    void number(const char* key, double& out, double lowest, double highest)
    {
        if (const Json* value = find(key)) {
            if (!value->is_number() || !(value->get<double>() >= lowest) ||
                !(value->get<double>() <= highest))
                wrong(key, "a number from " + trim(lowest) + " to " + trim(highest), *value);
            out = value->get<double>();
        }
    }
    void number(const char* key, std::optional<double>& out, double lowest, double highest)
    {
        if (find(key) != nullptr) {
            double value = 0;
            number(key, value, lowest, highest);
            out = value;
        }
    }
    template <typename Int>
    void integer(const char* key, Int& out, int64_t lowest,
                 int64_t highest = std::numeric_limits<int32_t>::max())
    {
        if (const Json* value = find(key)) {
            const bool fits = value->is_number_integer() && value->get<int64_t>() >= lowest &&
                              value->get<int64_t>() <= highest;
            if (!fits)
                wrong(key,
                      "a whole number from " + std::to_string(lowest) + " to " +
                          std::to_string(highest),
                      *value);
            out = static_cast<Int>(value->get<int64_t>());
        }
    }
    [[noreturn]] void wrong(const char* key, const std::string& expected, const Json& value) const
    {
        bad(inQuotes(full(key)) + " is " + value.dump().substr(0, 80) + ", expected " + expected);
    }
    void require(const char* key) const
    {
        if (!object_.contains(key))
            bad(inQuotes(full(key)) + " is missing");
    }
    void finish() const
    {
        for (const auto& [key, value] : object_.items())
            if (!used_.contains(key))
                bad("unknown key " + inQuotes(full(key)));
    }

private:
    std::string full(const std::string& key) const
    {
        return path_.empty() ? key : path_ + "." + key;
    }
    static std::string trim(double value)
    {
        std::ostringstream text;
        text << value;
        return text.str();
    }
    const Json& object_;
    std::string path_;
    std::set<std::string> used_;
};

void readModel(const Json& json, ModelConfig& model)
{
    ObjectReader in(json, "model");
    in.text("name", model.name);
    in.integer("classes", model.classes, 0, 1 << 20);
    in.integer("image_size", model.imageSize, 8, 4096);
    in.integer("vocabulary", model.vocabulary, 8, 1 << 20);
    in.integer("max_length", model.maxLength, 3, 4096);
    in.number("dropout", model.dropout, 0, 0.9);
    in.finish();
}

void readData(const Json& json, DataConfig& data)
{
    ObjectReader in(json, "data");
    std::string source = "generated";
    in.text("source", source);
    if (source == "generated")
        data.source = DataSource::Generated;
    else if (source == "files")
        data.source = DataSource::Files;
    else if (source == "synthetic")
        data.source = DataSource::Synthetic;
    else
        bad("\"data.source\" is \"" + source + "\", expected generated, files or synthetic");
    in.text("path", data.path);
    in.integer("train_samples", data.trainSamples, 0, int64_t{1} << 32);
    in.integer("eval_samples", data.evalSamples, 0, int64_t{1} << 32);
    if (const Json* augment = in.find("augment")) {
        ObjectReader a(*augment, "data.augment");
        a.integer("pad_crop", data.padCrop, 0, 256);
        a.flag("flip", data.flip);
        a.flag("random_resized_crop", data.randomResizedCrop);
        a.finish();
    }
    in.finish();
    if (data.source != DataSource::Synthetic && data.path.empty())
        bad("\"data.path\" is missing");
    if (data.source != DataSource::Files && (data.trainSamples == 0 || data.evalSamples == 0))
        bad("\"data.train_samples\" and \"data.eval_samples\" must be above 0 for " + source +
            " data");
}

void readOptimizer(const Json& json, OptimizerSettings& optimizer)
{
    ObjectReader in(json, "optimizer");
    in.text("name", optimizer.name);
    static const std::set<std::string> kNames = {"sgd", "lars", "adam", "adamw", "lamb"};
    if (!kNames.contains(optimizer.name))
        bad("\"optimizer.name\" is \"" + optimizer.name +
            "\", expected sgd, lars, adam, adamw or lamb");
    in.number("momentum", optimizer.momentum, 0, 0.9999);
    in.flag("nesterov", optimizer.nesterov);
    in.number("weight_decay", optimizer.weightDecay, 0, 1);
    in.number("label_smoothing", optimizer.labelSmoothing, 0, 0.9);
    in.number("beta1", optimizer.beta1, 0, 0.99999);
    in.number("beta2", optimizer.beta2, 0, 0.9999999);
    in.number("epsilon", optimizer.epsilon, 0, 1);
    in.number("clip_norm", optimizer.clipNorm, 0, 1e12);
    in.finish();
    if (optimizer.nesterov && optimizer.momentum == 0)
        bad("\"optimizer.nesterov\" needs a momentum above 0");
}

void readSchedule(const Json& json, ScheduleSettings& schedule)
{
    ObjectReader in(json, "schedule");
    in.text("name", schedule.name);
    static const std::set<std::string> kNames = {"constant",   "step",      "cosine",
                                                 "polynomial", "one_cycle", "inverse_sqrt"};
    if (!kNames.contains(schedule.name))
        bad("\"schedule.name\" is \"" + schedule.name +
            "\", expected constant, step, cosine, polynomial, one_cycle or inverse_sqrt");
    in.number("base_lr", schedule.baseLr, 1e-12, 1e12);
    in.number("warmup_epochs", schedule.warmupEpochs, 0, 1e6);
    in.number("end_lr", schedule.endLr, 0, 1e12);
    in.number("gamma", schedule.gamma, 1e-12, 1);
    in.number("power", schedule.power, 0.01, 100);
    if (const Json* milestones = in.find("milestones")) {
        if (!milestones->is_array())
            in.wrong("milestones", "a list of epochs", *milestones);
        for (const Json& value : *milestones) {
            const bool rises =
                value.is_number() && value.get<double>() > 0 &&
                (schedule.milestones.empty() || value.get<double>() > schedule.milestones.back());
            if (!rises)
                in.wrong("milestones", "a rising list of epochs", *milestones);
            schedule.milestones.push_back(value.get<double>());
        }
    }
    in.finish();
}

void readOptions(const Json& json, OptionsConfig& options)
{
    ObjectReader in(json, "options");
    in.flag("sync_bn", options.syncBn);
    in.number("bucket_mb", options.bucketMb, 0.001, 4096);
    in.flag("overlap", options.overlap);
    in.integer("grad_accum", options.gradAccum, 1, 1 << 16);
    in.text("allreduce", options.allReduce);
    constexpr std::array ways = {"auto", "shm", "mpi", "nccl", "staged"};
    if (std::ranges::find(ways, options.allReduce) == ways.end())
        bad("\"options.allreduce\" is \"" + options.allReduce +
            "\", expected auto, shm or mpi (device cuda: auto, nccl or staged)");
    in.flag("shard_optimizer", options.shardOptimizer);
    in.flag("fused_optimizer", options.fusedOptimizer);
    in.flag("async_eval", options.asyncEval);
    in.flag("pack_sequences", options.packSequences);
    in.flag("align_batch", options.alignBatch);
    in.flag("cuda_graphs", options.cudaGraphs);
    in.flag("autotune", options.autotune);
    in.number("loss_scale", options.lossScale, -1, 1 << 30);
    in.integer("memory_limit_mb", options.memoryLimitMb, 0);
    in.integer("checkpoint_every", options.checkpointEvery, 0, 1 << 20);
    in.number("collective_timeout_s", options.collectiveTimeoutS, 0, 86400);
    in.finish();
}

void readTop(const Json& json, RunConfig& run)
{
    ObjectReader in(json, "");
    for (const char* key : {"format", "version", "run_id", "workload", "model", "data", "workers",
                            "global_batch", "epochs"})
        in.require(key);
    std::string format;
    in.text("format", format);
    if (format != "scalebench.run")
        bad("\"format\" is \"" + format + "\", expected scalebench.run");
    int version = 1;
    in.integer("version", version, 1);
    if (version > 1)
        bad("version " + std::to_string(version) +
            " is newer than this engine understands (1); update Scalebench");
    in.text("study", run.study);
    in.text("run_id", run.runId);
    in.text("workload", run.workload);
    if (run.workload != "resnet" && run.workload != "transformer")
        bad("\"workload\" is \"" + run.workload + "\"; this engine has: resnet, transformer");
    in.text("scale", run.scale);
    if (const Json* value = in.find("model"))
        readModel(*value, run.model);
    if (const Json* value = in.find("data"))
        readData(*value, run.data);
    in.text("device", run.device);
    if (run.device != "cpu" && run.device != "cuda")
        bad("\"device\" is \"" + run.device + "\", expected cpu or cuda");
    in.text("precision", run.precision);
    if (run.precision != "fp32" && run.precision != "bf16" && run.precision != "fp16")
        bad("\"precision\" is \"" + run.precision + "\", expected fp32, bf16 or fp16");
    in.integer("nodes", run.nodes, 1);
    in.find("hosts"); // the launcher's: where mpirun starts the ranks
    in.integer("workers", run.workers, 1, 1 << 20);
    in.integer("threads_per_worker", run.threadsPerWorker, 1, 4096);
    in.flag("oversubscribed", run.oversubscribed);
    in.text("batch_policy", run.batchPolicy);
    in.integer("global_batch", run.globalBatch, 1, int64_t{1} << 31);
    if (const Json* value = in.find("optimizer"))
        readOptimizer(*value, run.optimizer);
    if (const Json* value = in.find("schedule"))
        readSchedule(*value, run.schedule);
    in.integer("epochs", run.epochs, 1, 1 << 20);
    if (const Json* value = in.find("target"); value != nullptr && !value->is_null()) {
        double target = 0;
        in.number("target", target, 0, 1);
        run.target = target;
    }
    in.integer("eval_every", run.evalEvery, 1, 1 << 20);
    in.integer("seed", run.seed, 0, std::numeric_limits<int64_t>::max());
    in.integer("repeat", run.repeat, 0);
    if (const Json* value = in.find("options"))
        readOptions(*value, run.options);
    in.finish();
}

} // namespace

const char* dataSourceName(DataSource source)
{
    switch (source) {
    case DataSource::Generated:
        return "generated";
    case DataSource::Synthetic:
        return "synthetic";
    default:
        return "files";
    }
}

RunConfig parseRunConfig(std::string_view text)
{
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& e) {
        bad("not valid JSON at byte " + std::to_string(e.byte));
    }
    RunConfig run;
    readTop(json, run);
    if (run.globalBatch < run.workers)
        bad("the global batch of " + std::to_string(run.globalBatch) + " is smaller than the " +
                std::to_string(run.workers) + " workers: give every worker at least one sample",
            "batch");
    const int64_t parts = int64_t{run.workers} * run.options.gradAccum;
    if (run.globalBatch % parts != 0)
        bad("the global batch of " + std::to_string(run.globalBatch) +
                " cannot be divided evenly over " + std::to_string(run.workers) + " workers x " +
                std::to_string(run.options.gradAccum) +
                " accumulation steps; the nearest that can: " +
                std::to_string(std::max<int64_t>(1, run.globalBatch / parts) * parts),
            "batch");
    if (run.schedule.warmupEpochs >= run.epochs && run.schedule.warmupEpochs > 0)
        bad("\"schedule.warmup_epochs\" must be below \"epochs\"");
    if (run.precision == "fp16" && run.options.lossScale == 0)
        run.options.lossScale = -1; // small gradients would vanish
    if (run.data.source == DataSource::Synthetic && run.target)
        bad("\"target\" must be null for synthetic data: random pictures measure throughput only");
    return run;
}

RunConfig loadRunConfig(const std::string& folder)
{
    const std::string path = folder + "/run.json";
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw InvalidArgument(
            "cannot read " + path + ". Give --run the folder that holds run.json.", "usage");
    std::ostringstream text;
    text << in.rdbuf();
    return parseRunConfig(text.str());
}

} // namespace scalebench::train
