// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/translation_workload.h"

#include "engine/core/fingerprint.h"
#include "engine/workloads/full_batch.h"
#include "engine/workloads/translation/bleu_evaluator.h"
#include "kernels/check.h"

#include <algorithm>

namespace scalebench::workloads {
namespace {

/// Sentences of an evaluation batch, unless the run says how many.
constexpr int64_t kEvalSentences = 64;
/// To warm up, before the text is read.
constexpr int64_t kStandInVocabulary = 4096, kStandInTokens = 24;

} // namespace

TranslationWorkload::TranslationWorkload(const RunConfig& config, const TranslationRecipe& recipe)
    : config_(config), recipe_(recipe)
{
}

void TranslationWorkload::prepareNode(int, const LoadProgress& progress)
{
    writeTranslation(config_, recipe_, progress);
}

void TranslationWorkload::prepareForAll(int threads)
{
    prepareTranslation(config_, recipe_, threads, progress_);
}

DataSizes TranslationWorkload::measure()
{
    data_ = loadTranslation(config_, recipe_, std::max(1, config_.threadsPerWorker), progress_);
    if (recipe_.vocabulary > 0 && data_.vocabulary > recipe_.vocabulary)
        throw InvalidArgument(
            "the text needs a vocabulary of " + std::to_string(data_.vocabulary) +
                " pieces, but \"model.vocabulary\" is " + std::to_string(recipe_.vocabulary) +
                ": learn fewer byte pairs (\"data.merges\") or set \"model.vocabulary\" to 0",
            "data_damaged");
    DataSizes sizes{data_.train.size(), data_.eval.size()};
    if (recipe_.batchTokens)
        sizes.trainTokens = data_.train.target.tokens() + data_.train.size();
    requireFullBatch(sizes.batchUnits(),
                     recipe_.batchTokens ? "target tokens of an epoch"
                                         : "sentence pairs of an epoch",
                     config_.globalBatch);
    return sizes;
}

Fingerprint TranslationWorkload::fingerprint() const
{
    Fingerprint print;
    for (const PairList* pairs : {&data_.train, &data_.eval})
        print.addSome(pairs->size(), [&](int64_t i) {
            print.add((*pairs)[i].source);
            print.add((*pairs)[i].target);
        });
    return print;
}

std::string TranslationWorkload::encoding() const
{
    return data_.tokenizer
               ? "vocabulary " + printFingerprint(data_.tokenizer->vocabulary().fingerprint())
               : std::string();
}

int64_t TranslationWorkload::vocabulary() const
{
    return recipe_.vocabulary > 0 ? recipe_.vocabulary : (data_.vocabulary + 7) / 8 * 8;
}

int64_t TranslationWorkload::standInVocabulary() const
{
    return recipe_.vocabulary > 0 ? recipe_.vocabulary : kStandInVocabulary;
}

Batch TranslationWorkload::warmUpBatch(int64_t samples, Allocator& memory)
{
    const std::vector<int32_t> sentence(kStandInTokens, kEndToken + 1);
    const int64_t pairs =
        recipe_.batchTokens ? std::max<int64_t>(1, samples / (kStandInTokens + 1)) : samples;
    Batch batch;
    trainingLayout()(std::vector<PairView>(size_t(pairs), {sentence, sentence}), memory, batch);
    batch.samples = pairs;
    return batch;
}

data::BucketSampler TranslationWorkload::sampler(data::WorkerSlice slice) const
{
    const std::vector<int32_t> weights = recipe_.batchTokens
                                             ? targetTokens(data_.train)
                                             : std::vector<int32_t>(size_t(data_.train.size()), 1);
    const data::BucketOptions options{config_.globalBatch, config_.options.gradAccum,
                                      uint64_t(config_.seed), packed() ? 1 : recipe_.bucketPool};
    return {pairLengths(data_.train), weights, options, slice};
}

void TranslationWorkload::open(const OpenContext& context)
{
    training_ = std::make_unique<TranslationTraining>(data_.train, sampler(context.slice),
                                                      trainingLayout(), context.batchMemory);
    evaluation_ = std::make_unique<TranslationEvaluation>(
        data_.eval, config_.evalBatch > 0 ? config_.evalBatch : kEvalSentences, context.slice,
        evaluationLayout(), context.batchMemory);
}

std::vector<std::pair<std::string, std::string>> TranslationWorkload::dataFacts() const
{
    const auto mean = [](const SentenceList& list) {
        return std::to_string(double(list.tokens()) / double(std::max<int64_t>(1, list.size())))
            .substr(0, 5);
    };
    std::vector<std::pair<std::string, std::string>> facts = {
        {"format", data_.format},
        {"vocabulary", std::to_string(data_.vocabulary)},
        {"source_tokens_per_sentence", mean(data_.train.source)},
        {"target_tokens_per_sentence", mean(data_.train.target)},
        {"prepared", data_.prepared ? "yes" : "no"},
        {"bleu", bleuCounterOf(recipe_).signature()}};
    if (config_.globalBatch > 1) // else nobody trains: only the data is looked at
        facts.emplace_back("positions_used_percent",
                           std::to_string(100 * positionsUsed()).substr(0, 5));
    return facts;
}

/// Share of the target positions computed that are tokens and not padding, over an epoch.
double TranslationWorkload::positionsUsed() const
{
    if (packed())
        return 1;
    const data::BucketSampler batches = sampler({0, config_.workers});
    int64_t used = 0, computed = 0;
    for (int64_t i = 0; i < batches.microBatchesPerEpoch(); ++i) {
        const std::vector<int64_t> samples = batches.microBatch(0, i);
        size_t longest = 0;
        for (const int64_t sample : samples) {
            const size_t tokens = data_.train[sample].target.size() + 1;
            longest = std::max(longest, tokens);
            used += int64_t(tokens);
        }
        computed += int64_t(longest * samples.size());
    }
    return double(used) / double(computed);
}

std::unique_ptr<Evaluator> TranslationWorkload::makeEvaluator() const
{
    return std::make_unique<BleuEvaluator>(data_, recipe_);
}

double TranslationWorkload::lossScale(int64_t globalBatch) const
{
    if (recipe_.batchTokens)
        return 1.0 / double(globalBatch);
    const PairList& train = data_.train;
    const double tokens = double(train.target.tokens()) / double(train.size()) + 1.0;
    return 1.0 / (double(globalBatch) * tokens);
}

} // namespace scalebench::workloads
