// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Object detection with RetinaNet, measured by COCO's mean average precision of boxes. Keys beside
// those of all detectors and of a backbone (detection_recipe.h):
//   model.shorter, longest, square   how large pictures become (of PictureSizing)
//   data.augment.flip                every second picture mirrored

#include "engine/models/retinanet/retinanet.h"
#include "engine/workloads/detection/detection_recipe.h"

namespace scalebench::workloads {

struct RetinaNetRecipe final : DetectionRecipe {
    PictureBatches::Options pictures;
    RetinaNetConfig network; ///< of one category, until the data says how many

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
