// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The sentences of a run: read or generated, cut into sub-words, as token ids.

#include "engine/data/generated_set.h"
#include "engine/text/subword_tokenizer.h"
#include "engine/workloads/translation/sentence_list.h"
#include "engine/workloads/translation/translation_recipe.h"
#include "engine/workloads/workload.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::workloads {

struct TranslationData {
    PairList train, eval;
    /// What the metric compares with, by evaluation sentence: the text as it was written, in small
    /// letters where the recipe says so.
    std::vector<std::string> references;
    /// Null for synthetic data.
    std::shared_ptr<const text::SubwordTokenizer> tokenizer;
    int64_t vocabulary = 0; ///< rows that the tables need
    int64_t bytesRead = 0;
    std::string format;               ///< "Multi30k" is "text", what data info says
    std::vector<std::string> remarks; ///< what was left out, cut or is also trained on
    bool prepared = false;            ///< read from a set that prepareTranslation() made
    /// Keeps a generated set from being replaced.
    std::shared_ptr<data::GeneratedSetLock> lock;
};

/// Evaluation pairs that are training pairs too, by their tokens.
int64_t alsoTrainedOn(const PairList& train, const PairList& eval);

/// Writes the generated set where it is wanted and missing; else does nothing.
void writeTranslation(const RunConfig& config, const TranslationRecipe& recipe,
                      const LoadProgress& progress = {});

/// Cuts the text once for all runs with these files and this recipe, where it was not yet
/// (engine/data/prepared_set.h). Throws as loadTranslation(), and Error (`not_writable`,
/// `disk_full`). `progress` may throw to stop.
void prepareTranslation(const RunConfig& config, const TranslationRecipe& recipe, int threads,
                        const LoadProgress& progress = {});

/// From the prepared set, or from the text where there is none. `threads`: that may be used.
/// InvalidArgument (`data_*`): as TranslationText.
TranslationData loadTranslation(const RunConfig& config, const TranslationRecipe& recipe,
                                int threads, const LoadProgress& progress = {});

} // namespace scalebench::workloads
