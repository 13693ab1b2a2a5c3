// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/bleu_evaluator.h"

#include "engine/workloads/translation/translation_batches.h"

#include <algorithm>
#include <any>
#include <cstring>

namespace scalebench::workloads {
namespace {

/// What a translation may be longer than its source, in tokens; tensor2tensor's figure.
constexpr int32_t kExtraTokens = 50;

text::BleuTokens bleuTokensOf(const std::string& name)
{
    return name == "13a"    ? text::BleuTokens::V13a
           : name == "intl" ? text::BleuTokens::International
                            : text::BleuTokens::None;
}

} // namespace

text::BleuCounter bleuCounterOf(const TranslationRecipe& recipe)
{
    return {bleuTokensOf(recipe.bleu), recipe.bleuLowerCase};
}

BleuEvaluator::BleuEvaluator(const TranslationData& data, const TranslationRecipe& recipe)
    : data_(data),
      search_{recipe.beam, recipe.lengthNorm, recipe.coverage, kBeginToken, kEndToken},
      counter_(bleuCounterOf(recipe))
{
}

void BleuEvaluator::add(Backend& backend, Network& network, const Batch& batch)
{
    const auto& numbers = std::any_cast<const std::vector<int64_t>&>(batch.notes);
    std::vector<SentenceLimits> limits;
    for (const int64_t number : numbers) {
        const auto tokens = int32_t(data_.eval[number].source.size());
        limits.push_back({tokens + kExtraTokens, tokens});
    }
    const auto decoder = dynamic_cast<Translator&>(network).decoder(backend, batch);
    const std::vector<Hypothesis> found = beamSearch(backend, *decoder, limits, search_);
    if (!data_.tokenizer)
        return; // synthetic: numbers without a text
    const int32_t pieces = data_.tokenizer->vocabulary().size();
    for (size_t i = 0; i < found.size(); ++i) {
        std::vector<int32_t> tokens = found[i].tokens;
        std::erase_if(tokens, [&](int32_t token) { return token >= pieces; }); // padding of tables
        counts_.add(
            counter_.count(data_.tokenizer->decode(tokens), data_.references[size_t(numbers[i])]));
    }
}

std::string BleuEvaluator::partial() const
{
    return {reinterpret_cast<const char*>(&counts_), sizeof counts_};
}

Evaluation BleuEvaluator::merge(std::span<const std::string> partials) const
{
    text::BleuCounts sum;
    for (const std::string& partial : partials) {
        text::BleuCounts part;
        std::memcpy(&part, partial.data(), std::min(partial.size(), sizeof part));
        sum.add(part);
    }
    return {{{"bleu", sum.bleu()}}, {}};
}

} // namespace scalebench::workloads
