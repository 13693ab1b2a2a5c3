// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Translation with a Transformer. Keys of its own: model.vocabulary (token ids), model.max_length
// (words of the longest sentence), model.dropout.

#include "engine/workloads/registry.h"

namespace scalebench::workloads {

struct TransformerRecipe final : Recipe {
    int vocabulary = 8192;
    int maxLength = 64;
    double dropout = 0.1;

    static std::shared_ptr<const Recipe> parse(const RunConfig& config, RecipeKeys& keys);
    std::unique_ptr<Workload> make(const RunConfig& config) const override;
};

} // namespace scalebench::workloads
