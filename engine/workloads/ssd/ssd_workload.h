// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Object detection with SSD, measured by COCO's mean average precision of boxes. Keys of its own:
//   model.score_threshold, model.nms_overlap   which boxes are kept (0.05, 0.5)
//   model.detections                   at most so many of a picture (200)
//   data.eval                          part that is evaluated: "val", "test" ...; else the first
//   data.augment.{crop, flip, colour}  of SSD (engine/detection/picture_augment.h)
//   data.edge, categories, most_objects   generated and synthetic scenes
// A training sample is a picture with an object, an evaluation sample any picture.

#include "engine/detection/picture_augment.h"
#include "engine/detection/scene_generator.h"
#include "engine/workloads/registry.h"

namespace scalebench::workloads {

struct SsdRecipe final : Recipe {
    double scoreThreshold = 0.05, nmsOverlap = 0.5;
    int detections = 200;
    std::string evalPart;
    detection::AugmentOptions augment;
    detection::ScenesSpec scenes;

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
