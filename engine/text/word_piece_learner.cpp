// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/merge_learner.h"
#include "engine/text/unicode.h"
#include "engine/text/word_pieces.h"
#include "kernels/check.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace scalebench::text {
namespace {

/// A word's characters, all but the first with "##".
std::vector<std::string> firstPieces(std::string_view word)
{
    std::vector<std::string> pieces;
    for (size_t at = 0; at < word.size();) {
        const size_t from = at;
        nextCharacter(word, at);
        pieces.push_back(std::string(from == 0 ? "" : kWithin) +
                         std::string(word.substr(from, at - from)));
    }
    return pieces;
}

/// The `room` most frequent first pieces, sorted.
std::vector<std::string> characterPieces(const WordCounts& words, size_t room)
{
    std::unordered_map<std::string, int64_t> counts;
    for (const WordCount& word : words)
        for (const std::string& piece : firstPieces(word.word))
            counts[piece] += word.count;
    std::vector<std::pair<int64_t, std::string>> ranked;
    for (const auto& [piece, count] : counts)
        ranked.emplace_back(-count, piece);
    std::ranges::sort(ranked);
    ranked.resize(std::min(room, ranked.size()));
    std::vector<std::string> pieces;
    for (auto& [count, piece] : ranked)
        pieces.push_back(std::move(piece));
    std::ranges::sort(pieces, [](const std::string& a, const std::string& b) {
        const bool withinA = a.starts_with(kWithin) && a != kWithin;
        const bool withinB = b.starts_with(kWithin) && b != kWithin;
        return std::pair(withinA, std::string_view(a)) < std::pair(withinB, std::string_view(b));
    });
    return pieces;
}

} // namespace

WordPieceVocabulary WordPieceVocabulary::learn(const WordCounts& words, int32_t size)
{
    std::vector<std::string> pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
    SB_REQUIRE(size > int32_t(pieces.size()), "a vocabulary of " + std::to_string(size) +
                                                  " word pieces has room for no character");
    for (std::string& piece : characterPieces(words, size_t(size) - pieces.size()))
        pieces.push_back(std::move(piece));
    std::unordered_set<std::string> seen(pieces.begin(), pieces.end());
    MergeRules rules;
    rules.merges = 4 * int64_t(size); // some merges make what is there
    rules.symbols = firstPieces;
    rules.join = [](const std::string& first, const std::string& second) {
        return first + second.substr(kWithin.size());
    };
    rules.goOn = [&](const std::string& made) {
        if (seen.insert(made).second)
            pieces.push_back(made);
        return pieces.size() < size_t(size);
    };
    if (pieces.size() < size_t(size))
        learnMerges(words, rules);
    return WordPieceVocabulary(std::move(pieces));
}

} // namespace scalebench::text
