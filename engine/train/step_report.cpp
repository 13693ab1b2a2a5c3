// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/step_report.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace scalebench::train {

namespace {

InputTimes meanTimes(const StepSplit& s)
{
    return {s.mean(s.made.readMs), s.mean(s.made.decodeMs), s.mean(s.made.augmentMs)};
}

} // namespace

report::StepRecord stepRecord(const StepSplit& s)
{
    report::StepRecord record;
    record.loss = s.mean(s.lossSum);
    record.stepMs = s.mean(s.total);
    record.computeMs = s.mean(s.compute);
    record.commMs = s.mean(s.comm);
    record.rowsMs = s.mean(s.rows);
    record.inputMs = s.mean(s.input);
    record.made = meanTimes(s);
    record.otherMs = s.mean(s.other());
    record.samplesPerSecond = s.total > 0 ? double(s.samples) * 1000.0 / s.total : 0;
    return record;
}

report::EpochSplit gatherEpochSplit(dist::Communicator& communicator, const StepSplit& s,
                                    double evalMs, int64_t bytes)
{
    struct Part {
        report::RankSplit split;
        int64_t bytesRead = 0;
    };
    const Part mine{{communicator.rank(), s.mean(s.total), s.mean(s.compute), s.mean(s.comm),
                     s.mean(s.input), s.mean(s.other()), evalMs, s.mean(s.rows), meanTimes(s)},
                    bytes};
    const std::vector<std::string> all =
        communicator.allGather({reinterpret_cast<const char*>(&mine), sizeof mine});
    report::EpochSplit record;
    for (const std::string& told : all) {
        Part part;
        std::memcpy(&part, told.data(), std::min(sizeof part, told.size()));
        record.ranks.push_back(part.split);
        record.bytesRead += part.bytesRead;
    }
    return record;
}

void HostLoadWatch::begin()
{
    counters_ = report::LoadCounters::read();
    processS_ = report::processSeconds();
}

std::vector<report::HostLoad> HostLoadWatch::gather(dist::Communicator& communicator)
{
    struct Part {
        int node = 0, localRank = 0;
        double processS = 0;
        report::LoadCounters before, after;
    };
    const Part mine{communicator.node(), communicator.localRank(),
                    report::processSeconds() - processS_, counters_, report::LoadCounters::read()};
    begin();
    const std::vector<std::string> parts =
        communicator.allGather({reinterpret_cast<const char*>(&mine), sizeof mine});
    const std::vector<std::string> names = communicator.allGather(communicator.hostName());
    // The counters are the host's: one worker of each tells them, all tell their own time.
    std::map<int, std::pair<Part, std::string>> byNode;
    std::map<int, double> ownS;
    for (size_t r = 0; r < parts.size(); ++r) {
        Part part;
        std::memcpy(&part, parts[r].data(), std::min(sizeof part, parts[r].size()));
        ownS[part.node] += part.processS;
        if (part.localRank == 0)
            byNode[part.node] = {part, names[r]};
    }
    std::vector<report::HostLoad> loads;
    for (const auto& [node, told] : byNode) {
        std::optional<report::HostLoad> load =
            report::hostLoad(told.first.before, told.first.after, ownS[node]);
        if (!load)
            continue;
        load->node = node;
        load->host = told.second;
        loads.push_back(std::move(*load));
    }
    return loads;
}

report::EvalRecord evalRecord(const workloads::Evaluation& result,
                              std::span<const workloads::MetricInfo> infos)
{
    report::EvalRecord record;
    record.value = result.leading();
    record.outOf = infos.front().best;
    if (result.counts) {
        record.correct = result.counts->correct;
        record.total = result.counts->total;
    }
    if (result.metrics.size() > 1)
        for (const workloads::MetricValue& metric : result.metrics)
            record.metrics[metric.name] = metric.value;
    for (const workloads::MetricInfo& info : infos)
        if (info.mlperf != nullptr)
            record.mlperf[info.mlperf] = record.metrics.at(info.name);
    return record;
}

bool meetsTargets(const RunConfig& config, const workloads::Evaluation& result)
{
    return !config.targets.empty() &&
           std::ranges::all_of(config.targets, [&](const Target& target) {
               return std::ranges::any_of(result.metrics, [&](const workloads::MetricValue& m) {
                   return m.name == target.metric && m.value >= target.value;
               });
           });
}

} // namespace scalebench::train
