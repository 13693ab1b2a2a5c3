// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Image classification with a residual network. Keys of its own: model.classes (0: as many as the
// data has), model.image_size, data.augment.{pad_crop, flip, random_resized_crop, cutout}.

#include "engine/data/pipeline.h"
#include "engine/workloads/registry.h"

namespace scalebench::workloads {

struct ResNetRecipe final : Recipe {
    int classes = 0;
    int imageSize = 32;
    data::AugmentOptions augment;

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
