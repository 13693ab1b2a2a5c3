// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The records that say what a run is, written before its clock starts: hyper-parameters, workers,
// and the setup with every switch as it really is.

#include "engine/report/run_stream.h"
#include "engine/train/replica.h"
#include "engine/workloads/workload.h"

#include <string>
#include <vector>

namespace scalebench::train {

report::RunHeader runHeader(const RunConfig& config, const dist::Communicator& communicator);
report::Hyperparameters hyperparameters(const RunConfig& config, const workloads::DataSizes& sizes);

/// "on", "off" or why not: a switch that does nothing here says so.
report::Json switches(const RunConfig& config, const workloads::Workload& workload, int workers,
                      const std::string& graphsNote);

/// The `setup` record. `wantedBatch`: before --align-batch.
report::Json setupRecord(const RunConfig& config, Replica& replica,
                         const workloads::Workload& workload, const workloads::DataSizes& sizes,
                         const dist::Communicator& communicator, int64_t wantedBatch);

/// Collective: one worker record per rank, by rank.
std::vector<report::WorkerInfo> introduceWorkers(const RunConfig& config,
                                                 const std::string& deviceName,
                                                 dist::Communicator& communicator);

} // namespace scalebench::train
