// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/transformer/transformer_workload.h"

#include "engine/models/transformer/transformer.h"
#include "engine/workloads/transformer/sentence_batches.h"
#include "engine/workloads/translation/translation_workload.h"
#include "kernels/check.h"

namespace scalebench::workloads {
namespace {

TransformerConfig modelOf(const std::string& name, const TransformerRecipe& recipe,
                          int64_t vocabulary)
{
    TransformerConfig model = TransformerConfig::byName(name, vocabulary);
    model.dropout = float(recipe.dropout);
    if (recipe.encoderLayers > 0)
        model.encoderLayers = recipe.encoderLayers;
    if (recipe.decoderLayers > 0)
        model.decoderLayers = recipe.decoderLayers;
    return model;
}

class TransformerWorkload final : public TranslationWorkload
{
public:
    TransformerWorkload(const RunConfig& config, const TransformerRecipe& recipe)
        : TranslationWorkload(config, recipe), recipe_(recipe)
    {
    }

    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        return std::make_unique<Transformer>(modelOf(config_.model, recipe_, vocabulary()), backend,
                                             parsePrecision(config_.precision),
                                             uint64_t(config_.seed), arena);
    }
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override
    {
        TransformerConfig model = modelOf(config_.model, recipe_, standInVocabulary());
        model.encoderLayers = model.decoderLayers = 1;
        return std::make_unique<Transformer>(model, backend, parsePrecision(config_.precision),
                                             uint64_t(config_.seed));
    }
    std::string packingNote() const override { return {}; }

protected:
    BatchLayout trainingLayout() const override { return packed() ? packSentences : padSentences; }
    BatchLayout evaluationLayout() const override { return padSentences; }
    bool packed() const override { return config_.options.packSequences; }

private:
    const TransformerRecipe& recipe_;
};

} // namespace

std::shared_ptr<const Recipe> TransformerRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    auto recipe = std::make_shared<TransformerRecipe>();
    recipe->parseCommon(config, keys);
    keys.model.integer("encoder_layers", recipe->encoderLayers, 0, 1000);
    keys.model.integer("decoder_layers", recipe->decoderLayers, 0, 1000);
    try {
        modelOf(config.model, *recipe, 8);
    } catch (const InvalidArgument& e) {
        refuseSetting("\"model.name\": " + std::string(e.what()));
    }
    return recipe;
}

std::unique_ptr<Workload> TransformerRecipe::make(const RunConfig& config) const
{
    return std::make_unique<TransformerWorkload>(config, *this);
}

} // namespace scalebench::workloads
