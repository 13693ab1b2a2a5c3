// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sentences into token ids and back.

#include "engine/text/byte_pairs.h"
#include "engine/text/subword_vocabulary.h"
#include "engine/text/words.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::text {

/// Thread-safe once made.
class SubwordTokenizer
{
public:
    SubwordTokenizer(WordMode mode, BytePairs bytePairs, SubwordVocabulary vocabulary);

    /// The sentence's pieces, without begin and end. Pieces that the vocabulary does not have are
    /// taken apart; characters that it does not have are SubwordVocabulary::kUnknown.
    std::vector<int32_t> encode(std::string_view line) const;

    /// The inverse for lines whose characters are known (in WordMode::Blanks: with single blanks
    /// between words). An unknown one reads U+FFFD and ends a word; pad, begin and end read
    /// nothing. InvalidArgument for an id out of range.
    std::string decode(std::span<const int32_t> ids) const;

    WordMode mode() const { return mode_; }
    const BytePairs& bytePairs() const { return bytePairs_; }
    const SubwordVocabulary& vocabulary() const { return vocabulary_; }

private:
    WordMode mode_;
    BytePairs bytePairs_;
    SubwordVocabulary vocabulary_;
};

} // namespace scalebench::text
