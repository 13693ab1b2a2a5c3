// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the stream says of steps and epochs, and of evaluations, from what was measured.

#include "engine/config/run_config.h"
#include "engine/dist/communicator.h"
#include "engine/report/host_load.h"
#include "engine/report/run_stream.h"
#include "engine/train/step_split.h"
#include "engine/workloads/evaluator.h"
#include "engine/workloads/registry.h"

#include <span>

namespace scalebench::train {

/// The means of some steps; step, epoch, samples and learning rate are the caller's.
report::StepRecord stepRecord(const StepSplit& steps);

/// Collective: every worker's means over an epoch and what all read. `evalMs`: of this worker,
/// while training stood still; `bytes`: read by it in the epoch.
report::EpochSplit gatherEpochSplit(dist::Communicator& communicator, const StepSplit& steps,
                                    double evalMs, int64_t bytes);

/// What the hosts of a run did between two calls.
class HostLoadWatch
{
public:
    /// Collective: the load of every host since begin() or the last call, by node.
    std::vector<report::HostLoad> gather(dist::Communicator& communicator);
    /// From now on.
    void begin();

private:
    report::LoadCounters counters_;
    double processS_ = 0;
};

/// `infos`: of the workload's metrics.
report::EvalRecord evalRecord(const workloads::Evaluation& result,
                              std::span<const workloads::MetricInfo> infos);

/// All of the run's targets, where it has any.
bool meetsTargets(const RunConfig& config, const workloads::Evaluation& result);

} // namespace scalebench::train
