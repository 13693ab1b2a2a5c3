// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The text of a run on its way to token ids. Training text is read in pieces, twice: of it no more
// is held than a piece and its distinct words.

#include "engine/text/parallel_text.h"
#include "engine/text/subword_tokenizer.h"
#include "engine/workloads/translation/translation_recipe.h"
#include "engine/workloads/workload.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scalebench::workloads {

/// What a set prepared from the folder follows from: training, evaluation and, where there is one,
/// the file of merges. InvalidArgument (`data_missing`).
std::vector<std::string> translationFiles(const std::string& folder,
                                          const TranslationRecipe& recipe);

class TranslationText
{
public:
    using TakePair =
        std::function<void(std::span<const int32_t> source, std::span<const int32_t> target)>;

    /// Reads the text, counts words, and learns or reads the merges. `progress` is told in bytes
    /// of the files, here and below, and may throw. InvalidArgument (`data_*`): as
    /// engine/text/parallel_text.h and byte_pairs.h.
    TranslationText(std::string folder, const TranslationRecipe& recipe, int threads,
                    LoadProgress progress);

    const std::shared_ptr<const text::SubwordTokenizer>& tokenizer() const { return tokenizer_; }
    /// The pairs of the training text that are short enough, or cut. InvalidArgument (`data_empty`)
    /// where there is none.
    void cutTraining(const TakePair& take);
    /// Of the evaluation only what is read is cut: the reference stays whole.
    void cutEvaluation(const TakePair& take);
    /// What the metric compares with, by evaluation sentence.
    std::vector<std::string>& references() { return eval_.target; }
    std::vector<std::string>& remarks() { return remarks_; }
    int64_t bytesRead() const { return bytesRead_; }

private:
    /// How many sentences were longer than allowed.
    struct TooLong {
        int64_t dropped = 0, truncated = 0;
    };
    using TakeLines =
        std::function<void(std::vector<std::string>& source, std::vector<std::string>& target)>;

    void tick() const;
    /// The training text, piece after piece; returns what was left out.
    text::ParallelText readTraining(const TakeLines& take);
    void countAndLearn();
    std::vector<std::vector<int32_t>> encode(const std::vector<std::string>& lines) const;
    void remark(const text::ParallelText& text, const TooLong& tooLong, const char* part);

    std::string folder_;
    const TranslationRecipe& recipe_;
    int threads_;
    LoadProgress progress_;
    int64_t bytesRead_ = 0, toRead_ = 0;
    text::ParallelText eval_;
    std::shared_ptr<const text::SubwordTokenizer> tokenizer_;
    std::vector<std::string> remarks_;
};

} // namespace scalebench::workloads
