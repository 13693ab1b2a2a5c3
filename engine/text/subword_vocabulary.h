// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pieces of words and their numbers.

#include "engine/text/byte_pairs.h"
#include "engine/text/word_counts.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scalebench::text {

/// Ids 0 to 3 are no pieces; the others number pieces without gaps. A piece that ends a word and
/// the same text within a word ("@@" behind it) are two pieces. Thread-safe once made.
class SubwordVocabulary
{
public:
    static constexpr int32_t kPad = 0, kBegin = 1, kEnd = 2, kUnknown = 3, kFirstPiece = 4;

    SubwordVocabulary() : SubwordVocabulary(std::vector<std::string>{}) {}
    /// `pieces`, as they stand in text, get ids from kFirstPiece on. InvalidArgument for an empty
    /// or double one, one that holds a blank or a line end, and one that reads like ids 0 to 3.
    explicit SubwordVocabulary(const std::vector<std::string>& pieces);

    /// All characters of the words that occur at least `minimumCharacterCount` times, each within
    /// and at the end of words, in the order of their code points; then what the merges make, in
    /// their order. So any text of these characters can be written.
    static SubwordVocabulary build(const WordCounts& words, const BytePairs& bytePairs,
                                   int64_t minimumCharacterCount = 1);

    /// One piece a line, "<pad>", "<s>", "</s>", "<unk>" first. Throws InvalidArgument: as
    /// readLines(); `data_damaged` with file and line.
    static SubwordVocabulary read(const std::string& path, int64_t* bytesRead = nullptr);
    /// Throws as writeLines().
    void write(const std::string& path) const;

    /// How many ids there are; not padded to any multiple.
    int32_t size() const { return int32_t(texts_.size()); }
    /// kUnknown for a piece that is not there. `last`: it ends a word.
    int32_t id(std::string_view piece, bool last) const;
    /// As it stands in text and in the file. InvalidArgument for an id out of range.
    const std::string& text(int32_t id) const;
    /// Of the texts in their order: whether a checkpoint was made with this vocabulary.
    uint64_t fingerprint() const;

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    std::vector<std::string> texts_; ///< by id
    std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> lasts_, inner_;
};

} // namespace scalebench::text
