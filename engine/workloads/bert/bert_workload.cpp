// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/bert_workload.h"

#include "engine/models/bert/bert.h"
#include "engine/workloads/bert/bert_data.h"
#include "engine/workloads/bert/bert_evaluator.h"
#include "engine/workloads/device_input.h"
#include "engine/workloads/full_batch.h"
#include "engine/workloads/token_tensors.h"
#include "kernels/check.h"

#include <cstdio>

namespace scalebench::workloads {
namespace {

/// Of the masks that are evaluated: the same in all runs.
constexpr uint64_t kEvalMasks = 1;
/// To warm up, before the text is read.
constexpr int64_t kStandInPieces = 4096;

std::string percent(double share)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", 100 * share);
    return text;
}

class BertWorkload final : public Workload, public WarmUpInput
{
public:
    BertWorkload(const RunConfig& config, const BertRecipe& recipe)
        : config_(config), recipe_(recipe)
    {
    }

    bool measureReadsData() const override { return true; }
    void prepareNode(int, const LoadProgress& progress) override
    {
        writeProse(config_, recipe_, progress);
    }
    void watchLoading(const LoadProgress& progress) override { progress_ = progress; }
    void prepareForAll(int threads) override
    {
        prepareBertData(config_, recipe_, threads, progress_);
    }
    DataSizes measure() override;
    std::unique_ptr<Network> makeNetwork(Backend& backend, const ArenaAllocator& arena) override
    {
        return networkOf(model((data_.pieces() + 7) / 8 * 8), backend, arena);
    }
    std::unique_ptr<Network> warmUpNetwork(Backend& backend) override;
    Batch warmUpBatch(int64_t samples, Allocator& memory) override;
    void open(const OpenContext& context) override;
    int64_t bytesRead() const override { return data_.bytesRead; }
    std::vector<std::pair<std::string, std::string>> dataFacts() const override;
    std::string encoding() const override { return data_.encoding; }
    Fingerprint fingerprint() const override
    {
        Fingerprint print;
        for (const SequenceSet* set : {&data_.training, &data_.evaluation})
            print.addSome(set->size(),
                          [&](int64_t i) { print.add(std::span<const int32_t>(set->tokens(i))); });
        return print;
    }
    std::vector<std::string> remarks() const override;
    const data::BatchSource& training() const override { return *training_; }
    const data::BatchSource& evaluation() const override { return *evaluation_; }
    std::unique_ptr<Evaluator> makeEvaluator() const override
    {
        return std::make_unique<BertEvaluator>();
    }
    std::string packingNote() const override { return {}; }

private:
    /// `pieces`: of the text, where the recipe does not say.
    BertConfig model(int64_t pieces) const;
    std::unique_ptr<Network> networkOf(const BertConfig& model, Backend& backend,
                                       const ArenaAllocator& arena) const
    {
        return std::make_unique<Bert>(model, backend, parsePrecision(config_.precision),
                                      uint64_t(config_.seed), arena);
    }

    const RunConfig& config_;
    const BertRecipe& recipe_;
    LoadProgress progress_;
    BertData data_;
    std::unique_ptr<data::BatchSource> training_, evaluation_;
};

DataSizes BertWorkload::measure()
{
    data_ = loadBertData(config_, recipe_, progress_);
    requireFullBatch(data_.training.size(), "training sequences", config_.globalBatch);
    return {data_.training.size(), data_.evaluation.size()};
}

BertConfig BertWorkload::model(int64_t pieces) const
{
    BertConfig model =
        BertConfig::byName(config_.model, recipe_.vocabulary > 0 ? recipe_.vocabulary : pieces);
    model.dropout = float(recipe_.dropout);
    return model;
}

std::unique_ptr<Network> BertWorkload::warmUpNetwork(Backend& backend)
{
    BertConfig small = model(kStandInPieces);
    small.layers = 1;
    return networkOf(small, backend, {});
}

/// Sequences of the greatest length, with one word of eight to be predicted.
Batch BertWorkload::warmUpBatch(int64_t samples, Allocator& memory)
{
    const int64_t width = recipe_.maxLength, words = samples * width / 8;
    const bool packed = config_.options.packSequences;
    std::vector<int32_t> rows;
    for (int64_t i = 0; i < words; ++i)
        rows.push_back(int32_t(8 * i));
    std::vector<int32_t> lengths; // or offsets
    for (int64_t i = 0; i < samples + (packed ? 1 : 0); ++i)
        lengths.push_back(int32_t(packed ? i * width : width));
    const Shape shape = packed ? Shape{1, roundedUp(samples * width, 64)} : Shape{samples, width};
    Tensor factor = Tensor::empty({1}, DType::F32, memory);
    factor.f32()[0] = 1;
    return {{Tensor::zeros(shape, DType::I32, memory), Tensor::zeros(shape, DType::I32, memory),
             tensorOf(rows, {words}, memory), Tensor::zeros({words}, DType::I32, memory),
             Tensor::zeros({samples}, DType::I32, memory),
             tensorOf(lengths, {int64_t(lengths.size())}, memory), factor},
            samples};
}

void BertWorkload::open(const OpenContext& context)
{
    const BatchForm form{config_.options.packSequences, recipe_.maxLength, uint64_t(config_.seed)};
    training_ = std::make_unique<TrainSequences>(data_.training, form, config_.globalBatch,
                                                 config_.options.gradAccum, context.slice,
                                                 context.batchMemory);
    BatchForm fixed = form;
    fixed.seed = kEvalMasks;
    evaluation_ = std::make_unique<data::OrderedSource>(
        data_.evaluation.size(), config_.evalBatchSize(), context.slice,
        [this, fixed, &memory = context.batchMemory](const data::SampleList& list, Batch& batch) {
            fillSequences(data_.evaluation, fixed, list, 1.0f, memory, batch);
        });
}

std::vector<std::pair<std::string, std::string>> BertWorkload::dataFacts() const
{
    const double filled = data_.training.meanLength() / double(recipe_.maxLength);
    return {{"documents", std::to_string(data_.training.corpus.documentCount())},
            {"eval_documents", std::to_string(data_.evaluation.corpus.documentCount())},
            {"sentences", std::to_string(data_.training.corpus.sentenceCount())},
            {"tokens", std::to_string(data_.training.corpus.tokens.size())},
            {"prepared", data_.prepared ? "yes" : "no"},
            {"word_pieces", std::to_string(data_.pieces())},
            {"tokens_of_a_padded_row_percent", percent(filled)}};
}

std::vector<std::string> BertWorkload::remarks() const
{
    std::vector<std::string> remarks;
    if (data_.repeated > 0)
        remarks.push_back(std::to_string(data_.repeated) +
                          " training documents are also held out to evaluate: they are not "
                          "trained on");
    if (data_.unknownShare > 0.02)
        remarks.push_back(percent(data_.unknownShare) +
                          " % of the words are not in vocab.txt: does it belong to this text?");
    return remarks;
}

} // namespace

std::shared_ptr<const Recipe> BertRecipe::parse(const RunConfig& config, RecipeKeys& keys)
{
    auto recipe = std::make_shared<BertRecipe>();
    if (config.data.source == DataSource::Synthetic)
        requireSampleCounts(config.data);
    int64_t positions = 0;
    try {
        positions = BertConfig::byName(config.model).positions;
    } catch (const InvalidArgument& e) {
        refuseSetting("\"model.name\": " + std::string(e.what()));
    }
    keys.model.integer("max_length", recipe->maxLength, 8, positions);
    keys.model.integer("vocabulary", recipe->vocabulary, 0, 1 << 24);
    if (recipe->vocabulary > 0 && recipe->vocabulary < 16)
        refuseSetting("\"model.vocabulary\" must be 0 or at least 16");
    keys.model.number("dropout", recipe->dropout, 0, 0.9);
    keys.data.integer("max_predictions", recipe->maxPredictions, 1, 512);
    keys.data.integer("duplicates", recipe->duplicates, 1, 1000);
    keys.data.number("short_share", recipe->shortShare, 0, 1);
    keys.data.number("eval_share", recipe->evalShare, 0.0001, 0.9);
    keys.data.flag("uncased", recipe->uncased);
    keys.data.integer("documents", recipe->documents, 2, 1 << 24);
    keys.data.integer("eval_documents", recipe->evalDocuments, 2, 1 << 24);
    return recipe;
}

std::unique_ptr<Workload> BertRecipe::make(const RunConfig& config) const
{
    return std::make_unique<BertWorkload>(config, *this);
}

} // namespace scalebench::workloads
