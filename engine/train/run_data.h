// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The data of a run: how much there is (before the clock starts), then the pictures themselves.

#include "engine/data/dataset.h"
#include "engine/dist/communicator.h"
#include "engine/train/run_config.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace scalebench::train {

struct DataPlan {
    int64_t trainSamples = 0;
    int64_t evalSamples = 0;
    int classes = 0;
};

/// Counts without reading pictures. Throws InvalidArgument (`data_*`, `batch`: fewer samples than
/// one global batch, `usage`: more classes than the network has).
DataPlan planData(const RunConfig& config);

struct RunData {
    std::unique_ptr<data::ImageDataset> train;
    std::unique_ptr<data::ImageDataset> eval;
    data::ChannelStatistics statistics;
    int64_t bytesRead = 0;
};

/// Collective. Draws the generated set where it is missing (one worker per node), then every worker
/// opens the data. `progress` may throw to stop. Throws AgreedError.
RunData loadData(const RunConfig& config, dist::Communicator& communicator,
                 const std::function<void(int64_t done, int64_t total)>& progress);

} // namespace scalebench::train
