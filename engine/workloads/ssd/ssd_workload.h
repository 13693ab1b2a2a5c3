// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Object detection with SSD, measured by COCO's mean average precision of boxes. Keys beside those
// of all detectors (detection_recipe.h):
//   data.augment.{crop, flip, colour}  of SSD (engine/detection/picture_augment.h)

#include "engine/detection/picture_augment.h"
#include "engine/workloads/detection/detection_recipe.h"

namespace scalebench::workloads {

struct SsdRecipe final : DetectionRecipe {
    detection::AugmentOptions augment;

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
