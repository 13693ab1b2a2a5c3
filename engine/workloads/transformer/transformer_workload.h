// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Translation with a Transformer. The keys of translation_recipe.h, and of its own:
//   model.encoder_layers, model.decoder_layers   instead of those that the name stands for

#include "engine/workloads/translation/translation_recipe.h"

namespace scalebench::workloads {

struct TransformerRecipe final : TranslationRecipe {
    int encoderLayers = 0, decoderLayers = 0; ///< 0: as the name says

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
