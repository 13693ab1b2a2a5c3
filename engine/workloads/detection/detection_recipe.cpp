// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/detection/detection_recipe.h"

namespace scalebench::workloads {

void DetectionRecipe::parseShared(const RunConfig& config, RecipeKeys& keys)
{
    requireSampleCounts(config.data);
    keys.model.number("score_threshold", detect.scoreThreshold, 0, 1);
    keys.model.number("nms_overlap", detect.nmsOverlap, 0, 1);
    keys.model.integer("detections", detect.detections, 1, 10000);
    keys.model.text("weights", weights);
    if (!weights.empty() && !weights.starts_with('/'))
        refuseSetting("\"model.weights\" is \"" + weights +
                      "\"; give the file with its whole path, as each host of the run has it");
    keys.data.text("eval", evalPart);
    keys.data.integer("edge", scenes.edge, 32, 4096);
    keys.data.integer("categories", scenes.categories, 1, 10);
    keys.data.integer("most_objects", scenes.mostObjects, 1, 100);
    scenes.trainSamples = config.data.trainSamples;
    scenes.evalSamples = config.data.evalSamples;
}

void DetectionRecipe::parseSizing(RecipeKeys& keys, PictureSizing& sizing)
{
    keys.model.integer("shorter", sizing.shorter, 32, 4096);
    keys.model.integer("longest", sizing.longest, 32, 8192);
    keys.model.flag("square", sizing.square);
}

void DetectionRecipe::parseFlip(RecipeKeys& keys, PictureBatches::Options& pictures)
{
    if (const auto* augment = keys.data.find("augment")) {
        SettingsReader in(*augment, "data.augment");
        in.flag("flip", pictures.flip);
        in.finish();
    }
}

void parseBackbone(RecipeKeys& keys, BackboneConfig& backbone)
{
    keys.model.integer("frozen_stages", backbone.frozenStages, 0,
                       int64_t(backbone.blocks.size()) + 1);
    std::string norm = backbone.frozenNorm ? "frozen" : "batch";
    keys.model.text("norm", norm);
    if (norm != "batch" && norm != "frozen")
        refuseSetting("\"model.norm\" is \"" + norm + "\"; use batch or frozen");
    backbone.frozenNorm = norm == "frozen";
}

} // namespace scalebench::workloads
