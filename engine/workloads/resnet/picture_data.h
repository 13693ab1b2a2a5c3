// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The data of an image classification run: how much there is, then the pictures themselves.

#include "engine/data/open_dataset.h"
#include "engine/workloads/resnet/resnet_workload.h"

#include <cstdint>
#include <memory>

namespace scalebench::workloads {

struct PicturePlan {
    DataSizes sizes;
    int classes = 0;
    std::string format;
    std::shared_ptr<const data::PictureFiles> files; ///< of data source files
    std::vector<std::string> remarks;                ///< what a person should know
};

/// Counts without decoding pictures. Throws InvalidArgument (`data_*`, `batch`: fewer samples than
/// one global batch, `usage`: more classes than the network has).
PicturePlan planPictures(const RunConfig& config, const ResNetRecipe& recipe);

/// Draws the generated set where it is wanted and missing; else does nothing.
void drawPictures(const RunConfig& config, int threads, const LoadProgress& progress);

struct PictureData {
    std::unique_ptr<data::ImageDataset> train;
    std::unique_ptr<data::ImageDataset> eval;
    data::ChannelStatistics statistics;
    int64_t bytesRead = 0;
};

PictureData openPictures(const RunConfig& config, const ResNetRecipe& recipe,
                         const PicturePlan& plan, int threads, const LoadProgress& progress);

} // namespace scalebench::workloads
