// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings that all detectors have:
//   model.score_threshold, model.nms_overlap   which boxes are kept (0.05, 0.5)
//   model.detections                   at most so many of a picture
//   model.weights                      file with trained weights of the backbone; empty: none
//   data.eval                          part that is evaluated: "val", "test" ...; else the first
//   data.edge, categories, most_objects   generated and synthetic scenes
// A training sample is a picture with an object, an evaluation sample any picture.

#include "engine/detection/scene_generator.h"
#include "engine/models/detector/backbone.h"
#include "engine/models/detector/detector.h"
#include "engine/workloads/detection/picture_batches.h"
#include "engine/workloads/registry.h"

#include <string>

namespace scalebench::workloads {

struct DetectionRecipe : Recipe {
    DetectOptions detect;
    std::string weights; ///< absolute path on every host
    std::string evalPart;
    detection::ScenesSpec scenes;

protected:
    /// Reads the settings above.
    void parseShared(const RunConfig& config, RecipeKeys& keys);
    /// model.shorter, longest, square: how large pictures become.
    static void parseSizing(RecipeKeys& keys, PictureSizing& sizing);
    /// data.augment.flip.
    static void parseFlip(RecipeKeys& keys, PictureBatches::Options& pictures);
};

/// Settings of a backbone; those of `backbone` hold where they are not given:
///   model.frozen_stages   stem and first stages that are not trained
///   model.norm            "batch", or "frozen": fixed statistics, scale and shift
void parseBackbone(RecipeKeys& keys, BackboneConfig& backbone);

} // namespace scalebench::workloads
