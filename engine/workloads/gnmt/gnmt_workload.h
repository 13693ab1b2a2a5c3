// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recurrent translation, GNMT. The keys of translation_recipe.h, with beam 5, coverage 0.1 and
// dropout 0.2 where a recipe does not say, and of its own:
//   model.hidden, model.layers   instead of those that the name stands for

#include "engine/workloads/translation/translation_recipe.h"

namespace scalebench::workloads {

struct GnmtRecipe final : TranslationRecipe {
    GnmtRecipe();

    int hidden = 0, layers = 0; ///< 0: as the name says

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
