// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Object detection with masks by Mask R-CNN, measured by COCO's mean average precision of boxes and
// of masks. Keys beside those of all detectors and of a backbone (detection_recipe.h); where one is
// not given the network's own holds:
//   model.shorter, longest, square   how large pictures become (of PictureSizing)
//   model.train_proposals, test_proposals   of a level before suppression, of a picture after it
//   model.proposal_samples, region_samples  of a picture, that the losses are over
//   data.augment.flip                every second picture mirrored

#include "engine/models/maskrcnn/maskrcnn.h"
#include "engine/workloads/detection/detection_recipe.h"

namespace scalebench::workloads {

struct MaskRcnnRecipe final : DetectionRecipe {
    PictureBatches::Options pictures;
    MaskRcnnConfig network; ///< of one category, until the data says how many

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
