// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/transformer/transformer_workload.h"

#include "engine/models/transformer/transformer.h"
#include "engine/workloads/counted_evaluator.h"
#include "engine/workloads/transformer/sentence_batches.h"
#include "kernels/check.h"

namespace scalebench::workloads {
namespace {

class TransformerWorkload final : public Workload
{
public:
    TransformerWorkload(const RunConfig& config, const TransformerRecipe& recipe)
        : config_(config),
          recipe_(recipe),
          train_(config.data.trainSamples, recipe.vocabulary, recipe.maxLength, 1),
          eval_(config.data.evalSamples, recipe.vocabulary, recipe.maxLength, 2)
    {
    }

    bool measureReadsData() const override { return false; }
    DataSizes measure() override;
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        TransformerConfig model = TransformerConfig::byName(config_.model, recipe_.vocabulary);
        model.dropout = float(recipe_.dropout);
        return std::make_unique<Transformer>(model, backend, parsePrecision(config_.precision),
                                             uint64_t(config_.seed), arena);
    }
    void open(const OpenContext& context) override;
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<Evaluator> makeEvaluator() const override
    {
        return std::make_unique<CountedEvaluator>("token_accuracy");
    }
    double lossScale(int64_t globalBatch) const override
    {
        return 1.0 / (double(globalBatch) * (train_.meanLength() + 1.0)); // with the end token
    }
    std::string packingNote() const override { return {}; }

private:
    const RunConfig& config_;
    const TransformerRecipe& recipe_;
    data::SentencePairs train_, eval_;
    std::unique_ptr<data::BatchSource> training_, evaluation_;
};

DataSizes TransformerWorkload::measure()
{
    if (config_.data.source == DataSource::Files)
        throw Unsupported("workload \"transformer\" has no reader for text files yet: use data "
                          "\"generated\" or \"synthetic\"");
    if (train_.size() < config_.globalBatch)
        throw InvalidArgument("the " + std::to_string(train_.size()) +
                                  " training sentences do not fill one global batch of " +
                                  std::to_string(config_.globalBatch) + "; choose a smaller batch",
                              "batch");
    return {train_.size(), eval_.size()};
}

void TransformerWorkload::open(const OpenContext& context)
{
    const auto batchesOf = [this, &memory = context.batchMemory](const data::SentencePairs& pairs) {
        return [this, &memory, &pairs](const data::SampleList& list, Batch& batch) {
            fillSentences(pairs, list, config_.options.packSequences, memory, batch);
        };
    };
    training_ = std::make_unique<data::ShuffledSource>(
        data::TrainSampler(train_.size(), config_.globalBatch, config_.options.gradAccum,
                           context.slice, uint64_t(config_.seed)),
        batchesOf(train_));
    evaluation_ = std::make_unique<data::OrderedSource>(eval_.size(), config_.evalBatchSize(),
                                                        context.slice, batchesOf(eval_));
}

} // namespace

std::shared_ptr<const Recipe> TransformerRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    requireSampleCounts(config.data);
    auto recipe = std::make_shared<TransformerRecipe>();
    keys.model.integer("vocabulary", recipe->vocabulary, 8, 1 << 20);
    keys.model.integer("max_length", recipe->maxLength, 3, 4096);
    keys.model.number("dropout", recipe->dropout, 0, 0.9);
    return recipe;
}

std::unique_ptr<Workload> TransformerRecipe::make(const RunConfig& config) const
{
    return std::make_unique<TransformerWorkload>(config, *this);
}

} // namespace scalebench::workloads
