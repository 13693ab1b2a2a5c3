// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The workloads that this engine has.

#include "engine/config/run_config.h"
#include "engine/config/settings_reader.h"
#include "engine/workloads/workload.h"

#include <memory>
#include <span>
#include <string>

namespace scalebench::workloads {

/// Where a workload finds its own keys.
struct RecipeKeys {
    SettingsReader& model; ///< "model"; "name" is read already (RunConfig::model)
    SettingsReader& data;  ///< "data"; the keys of DataConfig are read already
};

/// What an evaluation gives.
struct MetricInfo {
    const char* name;
    double best; ///< the highest value it can have: 1 of a share, 100 of BLEU
    /// By which MLPerf's checker looks for it in an object; null: not there, or not in an object.
    const char* mlperf = nullptr;
};

struct WorkloadEntry {
    const char* id;
    /// Reads its keys; `config` holds the name of the model and the data. InvalidArgument
    /// (`usage`).
    std::shared_ptr<const Recipe> (*parse)(const RunConfig& config, RecipeKeys& keys);
    std::span<const MetricInfo> metrics; ///< the leading one first
    const char* mlperf = "";             ///< its name in MLPerf's logs, where it is another
};

/// For workloads whose data is made by number: refuses generated and synthetic data without.
void requireSampleCounts(const DataConfig& data);

std::span<const WorkloadEntry> workloadTable();
/// InvalidArgument (`usage`) lists the known ones.
const WorkloadEntry& findWorkload(const std::string& id);

} // namespace scalebench::workloads
