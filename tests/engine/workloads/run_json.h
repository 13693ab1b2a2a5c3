// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs as the launcher writes them, for the tests of workloads: read, changed, refused.

#include "engine/train/load_run_config.h"
#include "engine/workloads/workload.h"
#include "kernels/check.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>

#include <string>

namespace scalebench::tests {

inline RunConfig parsed(const nlohmann::json& run)
{
    return train::parseRunConfig(run.dump());
}

/// Why a run is refused, when it is read or when its data are prepared and counted; empty where it
/// is taken.
inline std::string refusalOf(const nlohmann::json& run)
{
    try {
        const RunConfig config = parsed(run);
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        workload->measure();
    } catch (const Error& e) {
        return e.what();
    }
    return {};
}

/// The same, of the run with another value at `pointer`.
inline std::string refusalWith(nlohmann::json run, const char* pointer, const nlohmann::json& value)
{
    run[nlohmann::json::json_pointer(pointer)] = value;
    return refusalOf(run);
}

/// An epoch of a detector on scenes of 64 pixels with objects of three categories, six to a batch;
/// the set is drawn into `folder`.
inline nlohmann::json sceneRun(const QTemporaryDir& folder, const char* workload,
                               const nlohmann::json& model, int trainSamples, int evalSamples)
{
    nlohmann::json run = nlohmann::json::parse(R"({"format":"scalebench.run","version":1,
 "run_id":"r","data":{"source":"generated","edge":64,"categories":3,"augment":{"flip":true}},
 "workers":1,"global_batch":6,"optimizer":{"name":"adam"},
 "schedule":{"name":"constant","base_lr":0.002},"epochs":1})");
    run["workload"] = workload;
    run["model"] = model;
    run["data"]["train_samples"] = trainSamples;
    run["data"]["eval_samples"] = evalSamples;
    run["data"]["path"] = folder.filePath(QStringLiteral("set")).toStdString();
    return run;
}

/// The same run on random pixels, which have no files.
inline nlohmann::json onSyntheticData(nlohmann::json run)
{
    run["data"]["source"] = "synthetic";
    run["data"].erase("path");
    return run;
}

} // namespace scalebench::tests
