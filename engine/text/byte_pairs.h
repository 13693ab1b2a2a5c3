// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Byte-pair encoding: words into frequent pieces, by merges learned from a text. Merges, codes file
// and pieces are subword-nmt's, format 0.2: a word's last character carries "</w>", and in text
// each piece but a word's last is followed by "@@".

#include "engine/text/merge_learner.h"
#include "engine/text/word_counts.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scalebench::text {

/// A piece of a word as text: all but a word's last carry this.
inline constexpr std::string_view kContinues = "@@";

class BytePairs
{
public:
    /// Whether a piece is in some vocabulary; `last`: it ends a word.
    using Known = std::function<bool(std::string_view piece, bool last)>;

    BytePairs() = default;
    /// In order of rank; of equal ones the first counts. Symbols are not empty and hold neither
    /// blank nor line end: InvalidArgument.
    explicit BytePairs(std::vector<Merge> merges);

    /// Equal to `subword-nmt learn-bpe -s merges --min-frequency minimumCount` on the same words.
    /// Words that hold a blank or a line end, which a codes file cannot hold, are left out. `tick`:
    /// called now and then, may throw to stop.
    static BytePairs learn(const WordCounts& words, int64_t merges, int64_t minimumCount = 2,
                           const std::function<void()>& tick = {});

    /// A codes file ("#version: 0.2", then two symbols a line). Throws InvalidArgument: as
    /// readLines(); `data_damaged` with file and line for another format.
    static BytePairs read(const std::string& path, int64_t* bytesRead = nullptr);
    /// Throws as writeLines().
    void write(const std::string& path) const;

    /// The word's pieces, none of them empty; together they are the word. Thread-safe, and fast
    /// enough not to be cached (about a microsecond).
    std::vector<std::string> split(std::string_view word) const;
    /// Undoes merges until each piece is known or a single character, as apply-bpe with a
    /// vocabulary.
    std::vector<std::string> split(std::string_view word, const Known& known) const;

    const std::vector<Merge>& merges() const { return merges_; }

private:
    struct Target {
        int32_t rank, symbol;
    };
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    struct Run {
        int32_t symbol;    ///< -1: in no merge
        size_t begin, end; ///< bytes of the word
    };

    int32_t number(const std::string& symbol);
    int32_t find(std::string_view piece, bool last) const;
    const Target* target(const Run& left, const Run& right) const;
    std::vector<Run> runs(std::string_view word) const;
    void unmerge(std::string_view piece, bool last, const Known& known,
                 std::vector<std::string>& out) const;

    std::vector<Merge> merges_;
    std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> symbols_;
    std::unordered_map<uint64_t, Target> targets_; ///< by the numbers of two symbols
    std::unordered_map<int32_t, int32_t> madeBy_;  ///< symbol to the first merge that makes it
};

/// Pieces as they stand in text: "@@" behind all but the last.
std::vector<std::string> markedPieces(std::vector<std::string> pieces);

} // namespace scalebench::text
