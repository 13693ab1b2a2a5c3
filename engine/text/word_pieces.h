// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// WordPiece as BERT uses it: a vocabulary file of one piece a line, words taken apart from the left
// into the longest pieces, those within a word with "##" before them.

#include "engine/text/word_counts.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scalebench::text {

/// Before a piece that is not the beginning of its word.
inline constexpr std::string_view kWithin = "##";

/// Pieces by id, which is the number of their line from 0. Thread-safe once made.
class WordPieceVocabulary
{
public:
    /// InvalidArgument for an empty or double piece, one that holds a line end, and where [PAD],
    /// [UNK], [CLS], [SEP] or [MASK] is missing.
    explicit WordPieceVocabulary(std::vector<std::string> pieces);

    /// BERT's vocab.txt. Throws InvalidArgument: as readLines(); `data_damaged` with file and line.
    static WordPieceVocabulary read(const std::string& path, int64_t* bytesRead = nullptr);
    /// Throws as writeLines().
    void write(const std::string& path) const;

    /// At most `size` pieces for these words: [PAD], [UNK], [CLS], [SEP] and [MASK]; the characters
    /// that begin words and those ("##") within, in the order of their code points, the most
    /// frequent ones where not all have room; then pieces from merges of the pair that occurs most
    /// often, as byte pairs are learned. The last step is not how BERT's own vocabulary came about
    /// (by likelihood, unpublished), but its pieces are used in the same way. InvalidArgument for a
    /// size that has no room for a character.
    static WordPieceVocabulary learn(const WordCounts& words, int32_t size);

    int32_t size() const { return int32_t(pieces_.size()); }
    int32_t pad() const { return pad_; }
    int32_t unknown() const { return unknown_; }
    int32_t classification() const { return classification_; } ///< [CLS]
    int32_t separator() const { return separator_; }           ///< [SEP]
    int32_t mask() const { return mask_; }
    bool isSpecial(int32_t id) const;

    /// The piece as in the file, "##" included; -1 for none.
    int32_t find(std::string_view piece) const;
    /// InvalidArgument for an id out of range.
    const std::string& text(int32_t id) const;
    /// Of the pieces in their order: whether a checkpoint was made with this vocabulary.
    uint64_t fingerprint() const;

    /// Appends the pieces of one word: unknown() for a word above 100 characters, and for one with
    /// any part that is no piece.
    void split(std::string_view word, std::vector<int32_t>& ids) const;

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using Table = std::unordered_map<std::string, int32_t, Hash, std::equal_to<>>;

    int32_t longest(std::string_view rest, const Table& table, size_t& bytes) const;

    std::vector<std::string> pieces_;
    Table all_, within_; ///< within_: those with "##", without it
    size_t longestPiece_ = 0;
    int32_t pad_ = -1, unknown_ = -1, classification_ = -1, separator_ = -1, mask_ = -1;
};

/// Text into the ids of pieces. Thread-safe once made.
class WordPieceTokenizer
{
public:
    explicit WordPieceTokenizer(WordPieceVocabulary vocabulary, bool uncased = true);

    /// Without [CLS] and [SEP]; the names of special pieces in a text are text.
    std::vector<int32_t> encode(std::string_view text) const;

    const WordPieceVocabulary& vocabulary() const { return vocabulary_; }
    bool uncased() const { return uncased_; }

private:
    WordPieceVocabulary vocabulary_;
    bool uncased_;
};

} // namespace scalebench::text
