// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/gnmt/gnmt_workload.h"

#include "engine/models/gnmt/gnmt.h"
#include "engine/workloads/gnmt/time_major_batches.h"
#include "engine/workloads/translation/translation_workload.h"
#include "kernels/check.h"

#include <algorithm>

namespace scalebench::workloads {
namespace {

GnmtConfig modelOf(const std::string& name, const GnmtRecipe& recipe, int64_t vocabulary)
{
    GnmtConfig model = GnmtConfig::byName(name, vocabulary);
    model.dropout = float(recipe.dropout);
    model.padding = kPadToken;
    if (recipe.hidden > 0)
        model.hidden = recipe.hidden, model.initRange = GnmtConfig::initRangeOf(recipe.hidden);
    if (recipe.layers > 0)
        model.layers = recipe.layers;
    return model;
}

class GnmtWorkload final : public TranslationWorkload
{
public:
    GnmtWorkload(const RunConfig& config, const GnmtRecipe& recipe)
        : TranslationWorkload(config, recipe), recipe_(recipe)
    {
    }

    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        return std::make_unique<Gnmt>(modelOf(config_.model, recipe_, vocabulary()), backend,
                                      parsePrecision(config_.precision), uint64_t(config_.seed),
                                      arena);
    }
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override
    {
        GnmtConfig model = modelOf(config_.model, recipe_, standInVocabulary());
        model.layers = std::min(model.layers, 3); // the first two differ from all others
        return std::make_unique<Gnmt>(model, backend, parsePrecision(config_.precision),
                                      uint64_t(config_.seed));
    }
    std::string packingNote() const override
    {
        return "a recurrent network takes the sentences of a batch side by side";
    }

protected:
    BatchLayout trainingLayout() const override { return layTimeMajor; }
    BatchLayout evaluationLayout() const override { return layTimeMajor; }

private:
    const GnmtRecipe& recipe_;
};

} // namespace

GnmtRecipe::GnmtRecipe()
{
    dropout = 0.2;
    beam = 5;
    coverage = 0.1;
    maxTokens = 50;
}

std::shared_ptr<const Recipe> GnmtRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    auto recipe = std::make_shared<GnmtRecipe>();
    recipe->parseCommon(config, keys);
    keys.model.integer("hidden", recipe->hidden, 0, 1 << 16);
    keys.model.integer("layers", recipe->layers, 0, 100);
    if (recipe->layers == 1)
        refuseSetting("\"model.layers\" must be 0 (as the name says) or at least 2");
    try {
        modelOf(config.model, *recipe, 8);
    } catch (const InvalidArgument& e) {
        refuseSetting("\"model.name\": " + std::string(e.what()));
    }
    return recipe;
}

std::unique_ptr<Workload> GnmtRecipe::make(const RunConfig& config) const
{
    return std::make_unique<GnmtWorkload>(config, *this);
}

} // namespace scalebench::workloads
