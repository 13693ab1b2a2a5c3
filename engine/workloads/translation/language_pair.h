// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The generated set `scalebench-language-pair-v1`: sentences of an invented language xa with their
// translations into another, xb, that differs in word order, gender, case and the way words are
// built (sentence_text.h). A sentence has one translation, which a dictionary alone does not find.
// Written as two files of text, and labelled.

#include "engine/data/generated_set.h"
#include "engine/workloads/translation/sentence_tree.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scalebench::workloads {

inline constexpr const char* kLanguagePairName = "scalebench-language-pair-v1";
/// Endings of the files.
inline constexpr const char *kPairSource = "xa", *kPairTarget = "xb";

struct LanguagePairSpec {
    int64_t trainSentences = 20000;
    int64_t evalSentences = 500;
    uint64_t seed = 1; ///< of the languages and the set; a run's own seed does not touch it
    int nouns = grammar::Lexicon::kNouns; ///< of the lexicon: fewer are learned sooner
};

struct TranslatedSentence {
    std::string source, target;
};

/// The text decides to which part a sentence belongs, so that the two never share one.
enum class Part { Training, Evaluation };
Part partOf(const std::string& source);

/// Sentences as a pure function of seed, part and index, on every platform; about 9 words, at least
/// 3. Thread-safe.
class LanguagePair
{
public:
    explicit LanguagePair(uint64_t seed, int nouns = grammar::Lexicon::kNouns);
    LanguagePair(const LanguagePair&) = delete;
    LanguagePair& operator=(const LanguagePair&) = delete;
    TranslatedSentence sentence(Part part, int64_t index) const;

    const grammar::Lexicon& lexicon() const { return lexicon_; }

private:
    uint64_t seed_;
    grammar::Lexicon lexicon_;
    grammar::SentenceSampler sampler_;
};

/// Makes sure that the set lies at `path` (a folder): train.xa, train.xb, eval.xa, eval.xb, one
/// sentence a line. Writes it where it is missing or follows another specification; see
/// ensureGenerated(). Throws Error (`not_writable`, `disk_full`), InvalidArgument for a size that
/// is not 1 to 100,000,000, and as Lexicon.
std::unique_ptr<data::GeneratedSetLock> ensureLanguagePair(const std::string& path,
                                                           const LanguagePairSpec& spec = {},
                                                           const std::function<void()>& tick = {});

} // namespace scalebench::workloads
