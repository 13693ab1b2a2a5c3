// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/byte_pairs.h"

#include "engine/text/unicode.h"
#include "kernels/check.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace scalebench::text {
namespace {

constexpr std::string_view kEndOfWord = "</w>";
constexpr const char* kDividers = " \r\n";

uint64_t keyOf(int32_t first, int32_t second)
{
    return uint64_t(uint32_t(first)) << 32U | uint32_t(second);
}

/// A word's characters, the last with "</w>".
std::vector<std::string> firstSymbols(std::string_view word)
{
    std::vector<std::string> symbols;
    if (word.empty() || word.find_first_of(kDividers) != std::string_view::npos)
        return symbols;
    for (size_t at = 0; at < word.size();) {
        const size_t from = at;
        nextCharacter(word, at);
        symbols.emplace_back(word.substr(from, at - from));
    }
    symbols.back() += kEndOfWord;
    return symbols;
}

void checkSymbol(const std::string& symbol)
{
    SB_REQUIRE(!symbol.empty() && symbol.find_first_of(kDividers) == std::string::npos,
               "a symbol of a merge is empty or holds a blank or a line end");
}

} // namespace

BytePairs::BytePairs(std::vector<Merge> merges) : merges_(std::move(merges))
{
    SB_REQUIRE(merges_.size() < size_t(std::numeric_limits<int32_t>::max() / 4),
               "there are too many merges");
    for (size_t rank = 0; rank < merges_.size(); ++rank) {
        const Merge& merge = merges_[rank];
        checkSymbol(merge.first);
        checkSymbol(merge.second);
        const int32_t first = number(merge.first), second = number(merge.second);
        const int32_t made = number(merge.first + merge.second);
        targets_.try_emplace(keyOf(first, second), Target{int32_t(rank), made});
        madeBy_.try_emplace(made, int32_t(rank));
    }
}

BytePairs BytePairs::learn(const WordCounts& words, int64_t merges, int64_t minimumCount,
                           const std::function<void()>& tick)
{
    MergeRules rules;
    rules.merges = merges;
    rules.minimumCount = minimumCount;
    rules.symbols = firstSymbols;
    rules.join = std::plus<>();
    rules.tick = tick;
    return BytePairs(learnMerges(words, rules));
}

int32_t BytePairs::number(const std::string& symbol)
{
    return symbols_.try_emplace(symbol, int32_t(symbols_.size())).first->second;
}

/// The symbol of a piece, -1 for one that no merge knows.
int32_t BytePairs::find(std::string_view piece, bool last) const
{
    const auto it =
        last ? symbols_.find(std::string(piece) + std::string(kEndOfWord)) : symbols_.find(piece);
    return it == symbols_.end() ? -1 : it->second;
}

const BytePairs::Target* BytePairs::target(const Run& left, const Run& right) const
{
    if (left.symbol < 0 || right.symbol < 0)
        return nullptr;
    const auto it = targets_.find(keyOf(left.symbol, right.symbol));
    return it == targets_.end() ? nullptr : &it->second;
}

std::vector<BytePairs::Run> BytePairs::runs(std::string_view word) const
{
    std::vector<Run> runs;
    for (size_t at = 0; at < word.size();) {
        const size_t from = at;
        nextCharacter(word, at);
        runs.push_back({find(word.substr(from, at - from), at == word.size()), from, at});
    }
    if (runs.size() < 2)
        return runs;
    // targets[i]: what runs i and i + 1 become.
    std::vector<const Target*> targets(runs.size(), nullptr);
    for (size_t i = 0; i + 1 < runs.size(); ++i)
        targets[i] = target(runs[i], runs[i + 1]);
    for (;;) {
        const Target* best = nullptr;
        for (const Target* candidate : targets)
            if (candidate && (!best || candidate->rank < best->rank))
                best = candidate;
        if (!best)
            return runs;
        // All of this pair at once, from the left: a later pair may have a lower rank.
        size_t to = 0;
        bool afterMerge = false;
        for (size_t i = 0; i < runs.size(); ++to) {
            const bool here = targets[i] == best;
            const Target* const kept = here ? nullptr : targets[i];
            runs[to] = here ? Run{best->symbol, runs[i].begin, runs[i + 1].end} : runs[i];
            if (to > 0 && (here || afterMerge))
                targets[to - 1] = target(runs[to - 1], runs[to]);
            targets[to] = kept; // for now, where the next is merged
            afterMerge = here;
            i += here ? 2 : 1;
        }
        runs.resize(to);
        targets.resize(to);
        targets.back() = nullptr;
    }
}

std::vector<std::string> BytePairs::split(std::string_view word) const
{
    std::vector<std::string> pieces;
    for (const Run& run : runs(word))
        pieces.emplace_back(word.substr(run.begin, run.end - run.begin));
    return pieces;
}

std::vector<std::string> BytePairs::split(std::string_view word, const Known& known) const
{
    std::vector<std::string> pieces;
    for (const Run& run : runs(word))
        unmerge(word.substr(run.begin, run.end - run.begin), run.end == word.size(), known, pieces);
    return pieces;
}

void BytePairs::unmerge(std::string_view piece, bool last, const Known& known,
                        std::vector<std::string>& out) const
{
    const auto made = known(piece, last) ? madeBy_.end() : madeBy_.find(find(piece, last));
    // The halves of a merge are shorter than what they make, so this ends.
    const size_t cut = made == madeBy_.end() ? 0 : merges_[size_t(made->second)].first.size();
    if (cut == 0 || cut >= piece.size()) {
        out.emplace_back(piece);
        return;
    }
    unmerge(piece.substr(0, cut), false, known, out);
    unmerge(piece.substr(cut), last, known, out);
}

std::vector<std::string> markedPieces(std::vector<std::string> pieces)
{
    for (size_t i = 0; i + 1 < pieces.size(); ++i)
        pieces[i] += kContinues;
    return pieces;
}

} // namespace scalebench::text
