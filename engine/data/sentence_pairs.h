// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sentence pairs made in memory that a translation network can really learn: words are numbers, the
// "translation" is the sentence backwards with every word replaced by its partner, so that a
// network must attend to the right source word. Lengths vary as in real text: many short sentences,
// a few long ones. Labelled as generated wherever results are shown.

#include <cstdint>
#include <vector>

namespace scalebench::data {

/// Token ids that mean no word.
inline constexpr int32_t kPadToken = 0, kBeginToken = 1, kEndToken = 2, kFirstWord = 3;

struct SentencePair {
    std::vector<int32_t> source; ///< words
    std::vector<int32_t> target; ///< words, as many
};

class SentencePairs
{
public:
    /// InvalidArgument for fewer than 8 token ids or sentences without room for a word.
    SentencePairs(int64_t size, int64_t vocabulary, int64_t maxLength, uint64_t seed);

    int64_t size() const { return size_; }
    int64_t maxLength() const { return maxLength_; }
    /// Depends on seed and index only; thread-safe.
    SentencePair pair(int64_t index) const;
    /// Expected length of a sentence, in words.
    double meanLength() const;

private:
    int64_t length(int64_t index) const;
    int64_t size_, vocabulary_, maxLength_;
    uint64_t seed_;
};

} // namespace scalebench::data
