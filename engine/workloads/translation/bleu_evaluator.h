// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Corpus BLEU of what beam search writes. N-gram counts are merged, so the result is the same to
// the last bit for any number of workers that write the same sentences.

#include "engine/decode/beam_search.h"
#include "engine/text/bleu.h"
#include "engine/workloads/evaluator.h"
#include "engine/workloads/translation/translation_data.h"

namespace scalebench::workloads {

/// As the recipe says.
text::BleuCounter bleuCounterOf(const TranslationRecipe& recipe);

class BleuEvaluator final : public Evaluator
{
public:
    /// Both outlive this.
    BleuEvaluator(const TranslationData& data, const TranslationRecipe& recipe);

    /// The network is a Translator; the notes of the batch as TranslationEvaluation makes them.
    void add(Backend& backend, Network& network, const Batch& batch) override;
    std::string partial() const override;
    Evaluation merge(std::span<const std::string> partials) const override;

private:
    const TranslationData& data_;
    BeamSearchParams search_;
    text::BleuCounter counter_;
    text::BleuCounts counts_;
};

} // namespace scalebench::workloads
