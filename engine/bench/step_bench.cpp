// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/step_bench.h"

#include "engine/backend/op_work.h"
#include "engine/bench/disturbance.h"
#include "engine/bench/peak.h"
#include "engine/bench/warm_up.h"
#include "engine/core/compute_clock.h"
#include "engine/data/prefetcher.h"
#include "engine/dist/communicator.h"
#include "engine/optim/schedule.h"
#include "engine/report/host_load.h"
#include "engine/train/agreement.h"
#include "engine/train/device_factory.h"
#include "engine/train/replica.h"
#include "engine/workloads/workload.h"
#include "kernels/check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

namespace scalebench::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// One worker's training, as the trainer sets it up, without evaluation and records.
class Training
{
public:
    explicit Training(RunConfig config)
        : config_(std::move(config)),
          communicator_(dist::makeSelfCommunicator()),
          workload_(config_.recipe->make(config_))
    {
        workload_->join({0, 1});
        const auto quiet = [](std::int64_t, std::int64_t) {};
        workload_->prepareNode(config_.threadsPerWorker, quiet);
        sizes_ = workload_->measure();
        replica_ =
            std::make_unique<train::Replica>(config_, *communicator_, train::cpuDevices(),
                                             [this](Backend& backend, const ArenaAllocator& arena) {
                                                 return workload_->makeNetwork(backend, arena);
                                             });
        workload_->open({{0, 1}, batchMemory_, config_.threadsPerWorker, quiet});
        // As many epochs as it takes: the benchmark ends by steps.
        batches_ = std::make_unique<data::Prefetcher>(workload_->training(), data::BatchPosition{},
                                                      std::numeric_limits<std::int32_t>::max());
    }

    /// Samples of the step.
    std::int64_t step()
    {
        train::Replica::Step step;
        step.number = number_++;
        step.lossScale = workload_->lossScale(config_.globalBatch);
        std::optional<train::Failure> failure;
        replica_->computeGradients(step, *batches_, failure);
        if (failure)
            throw Error(failure->code, failure->message);
        // Small enough to change nothing that a later step's time depends on.
        replica_->update(1e-6, step.split);
        inputMs_ += step.split.input;
        return step.sum.samples;
    }

    Backend& backend() { return replica_->backend(); }
    double inputMs() const { return inputMs_; }
    std::size_t parameterCount() { return replica_->parameters().gradients().size(); }

private:
    RunConfig config_;
    std::unique_ptr<dist::Communicator> communicator_;
    CachingAllocator batchMemory_; ///< outlives the workload
    std::unique_ptr<workloads::Workload> workload_;
    workloads::DataSizes sizes_;
    std::unique_ptr<train::Replica> replica_;
    std::unique_ptr<data::Prefetcher> batches_;
    std::int64_t number_ = 0;
    double inputMs_ = 0;
};

struct Limits {
    double flops, bytes; ///< per second

    /// What the op's arithmetic or its memory needs at least; 0 where neither is counted.
    double seconds(const OpWork& work) const
    {
        return std::max(work.flops / flops, work.bytes / bytes);
    }
};

struct Op {
    OpTime time;
    OpWork work;
};

std::vector<Op> profileOf(Backend& backend)
{
    std::map<std::string, OpWork> work = profiledWork(backend);
    std::vector<Op> ops;
    for (const OpTime& time : backend.profile())
        ops.push_back({time, work[time.op]});
    return ops;
}

std::vector<Column> columns()
{
    return {{"op", "op", -1, 30},         {"calls", "calls", 0},
            {"ms", "ms", 3, 9},           {"share_percent", "% of step", 1},
            {"gflops", "GFLOP/s", 1, 8},  {"share_of_peak_percent", "% of peak", 1},
            {"gb_per_s", "GB/s", 2},      {"share_of_memory_percent", "% of memory", 1},
            {"gain_ms", "to gain ms", 3}, {"note", "", -1}};
}

std::map<std::string, Json> rowOf(const Op& op, const Limits& limits, int steps, double stepS)
{
    const double seconds = op.time.ms / 1e3;
    std::map<std::string, Json> row = {{"op", op.time.op},
                                       {"calls", op.time.calls / steps},
                                       {"ms", op.time.ms / steps},
                                       {"share_percent", seconds / steps / stepS * 100}};
    const auto [flops, bytes] = op.work;
    if (flops > 0) {
        row["gflops"] = flops / seconds / 1e9;
        row["share_of_peak_percent"] = flops / seconds / limits.flops * 100;
    }
    if (bytes > 0) {
        row["gb_per_s"] = bytes / seconds / 1e9;
        row["share_of_memory_percent"] = bytes / seconds / limits.bytes * 100;
    }
    if (const double least = limits.seconds(op.work); least > 0)
        row["gain_ms"] = std::max(0.0, seconds - least) * 1e3 / steps;
    return row;
}

/// The three ops that would gain most at their limits.
std::string firstToMend(std::vector<Op> ops, const Limits& limits, int steps)
{
    const auto gain = [&](const Op& op) {
        const double least = limits.seconds(op.work);
        return least > 0 ? op.time.ms - least * 1e3 : 0;
    };
    std::ranges::sort(ops, [&](const Op& a, const Op& b) { return gain(a) > gain(b); });
    std::string text = "First to mend, with what they take above their limit:";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, ops.size()); ++i) {
        char part[120];
        std::snprintf(part, sizeof part, "%s %s %.1f of %.1f ms", i > 0 ? "," : "",
                      ops[i].time.op.c_str(), std::max(0.0, gain(ops[i])) / steps,
                      ops[i].time.ms / steps);
        text += part;
    }
    return text;
}

} // namespace

void runStepBench(const Options& options, RunConfig config, Report& report)
{
    report.setColumns(columns());
    if (config.workers != 1)
        throw InvalidArgument(
            "bench step measures one worker, not " + std::to_string(config.workers), "usage");
    const double peak = addComputePeak(options, report);
    const MemoryPeak memory = measureMemoryPeak(options.threads, std::int64_t{1} << 30);
    char text[300];
    std::snprintf(text, sizeof text, "Main memory measured here: copy %.2f GB/s, triad %.2f GB/s",
                  memory.copy / 1e9, memory.triad / 1e9);
    report.addPeak("memory_triad_gb_per_s", memory.triad / 1e9, text);
    const Limits limits{peak, std::max(memory.copy, memory.triad)};

    const std::string name = config.workload + ", " + config.model;
    Training training(std::move(config));
    warmUp(
        options, [&] { training.step(); },
        [&] { return training.backend().allocator().stats().systemRequests; });
    training.backend().setProfiling(true);
    const double inputBefore = training.inputMs(), ownBefore = report::processSeconds();
    const Clock::time_point start = Clock::now();
    std::vector<double> seconds;
    std::int64_t samples = 0;
    const LostTime lost;
    bool stopped = false;
    do {
        stopped = options.stopped();
        if (stopped && seconds.empty())
            throw Stopped{};
        if (stopped)
            break;
        const double begin = computeSeconds();
        samples += training.step();
        seconds.push_back(computeSeconds() - begin);
    } while (int(seconds.size()) < options.repeats && secondsSince(start) < options.maxSeconds);
    const double ownS = report::processSeconds() - ownBefore;
    const int steps = int(seconds.size());
    double total = 0;
    for (const double s : seconds)
        total += s;
    Timing timing = summarize(seconds);
    timing.lost = lost.share();
    const std::vector<Op> ops = profileOf(training.backend());
    double inside = 0;
    for (const Op& op : ops) {
        report.addRow(rowOf(op, limits, steps, total / steps));
        inside += op.time.ms;
    }
    const double input = training.inputMs() - inputBefore;
    const auto addPart = [&](const char* part, double ms) {
        report.addRow({{"op", part}, {"ms", ms / steps}, {"share_percent", ms / total / 10}});
    };
    // Waiting takes no processor time, which is the clock of one thread.
    const bool waits = options.threads > 1;
    if (waits)
        addPart("waiting for input", input);
    addPart("outside of ops", total * 1e3 - inside - (waits ? input : 0));
    std::map<std::string, Json> whole = {
        {"op", "the step"}, {"calls", 1}, {"ms", total * 1e3 / steps}, {"share_percent", 100.0}};
    addRemark(whole, timing, 0);
    report.addRow(whole);
    std::snprintf(text, sizeof text,
                  "%s: %d steps of %lld samples, %.1f samples/s of "
                  "this table's clock, %.1f per processor second; waited %.2f ms a step for input; "
                  "%.2f million parameters",
                  name.c_str(), steps, static_cast<long long>(samples / steps),
                  double(samples) / total, double(samples) / ownS, input / steps,
                  double(training.parameterCount()) / 1e6);
    report.addNote(text);
    report.addNote(firstToMend(ops, limits, steps));
    if (stopped) // with the table of the steps until then
        throw Stopped{};
}

} // namespace scalebench::bench
