// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/merge_learner.h"

#include "kernels/check.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace scalebench::text {
namespace {

/// A pair occurs more or less often in a word than before.
struct Change {
    int32_t word;
    int32_t by;
};

/// subword-nmt counts twice: in `count` for pairs that may soon be the most frequent (`live`), and
/// in `full` for all, which is brought up to date when a pair stops being live.
struct Pair {
    int32_t first, second;
    int64_t count = 0, full = 0;
    bool live = false, known = false;
    std::vector<Change> changes; ///< in which words it is
};

struct Candidate {
    int64_t count;
    int32_t pair;
};

/// Numbers for texts.
class Symbols
{
public:
    int32_t number(const std::string& text)
    {
        const auto [it, isNew] = numbers_.try_emplace(text, int32_t(texts_.size()));
        if (isNew)
            texts_.push_back(&it->first);
        return it->second;
    }
    const std::string& text(int32_t number) const { return *texts_[size_t(number)]; }

private:
    std::unordered_map<std::string, int32_t> numbers_;
    std::vector<const std::string*> texts_;
};

class MergeLearner
{
public:
    MergeLearner(const WordCounts& words, const MergeRules& rules);
    std::vector<Merge> learn();

private:
    struct Word {
        size_t from;
        int32_t size;
        int64_t count;
    };

    int32_t pairNumber(int32_t first, int32_t second);
    void add(int32_t first, int32_t second, int32_t word, int64_t count, int32_t by);
    bool comesLater(const Candidate& a, const Candidate& b) const;
    int32_t mostFrequent();
    int32_t next(int64_t step);
    void prune();
    void useFullCounts(int64_t step);
    void fillHeap();
    void apply(int32_t pair);
    void applyTo(int32_t word, int32_t first, int32_t second, int32_t merged);

    const MergeRules& rules_;
    Symbols symbols_;
    std::vector<int32_t> arena_; ///< the words' symbols; words only get shorter
    std::vector<Word> words_;
    std::vector<Pair> pairs_;
    std::unordered_map<uint64_t, int32_t> pairNumbers_;
    std::vector<int32_t> live_;
    /// Holds each live pair that occurs at all with its count or a larger one of before.
    std::vector<Candidate> heap_;
    std::vector<int32_t> before_; ///< a word's symbols before a merge
    double threshold_ = 0;
    bool learning_ = false; ///< all words are counted
};

MergeLearner::MergeLearner(const WordCounts& words, const MergeRules& rules) : rules_(rules)
{
    size_t seen = 0;
    for (const WordCount& word : words) {
        if (++seen % 4096 == 0 && rules.tick)
            rules.tick();
        const std::vector<std::string> symbols = rules.symbols(word.word);
        if (symbols.size() < 2 || word.count < 1)
            continue;
        const auto number = int32_t(words_.size());
        words_.push_back({arena_.size(), int32_t(symbols.size()), word.count});
        for (const std::string& symbol : symbols)
            arena_.push_back(symbols_.number(symbol));
        for (size_t i = words_.back().from; i + 1 < arena_.size(); ++i)
            add(arena_[i], arena_[i + 1], number, word.count, 1);
    }
    int64_t most = 0;
    for (Pair& pair : pairs_) {
        pair.full = pair.count;
        pair.known = true;
        most = std::max(most, pair.count);
    }
    threshold_ = double(most) / 10;
    fillHeap();
    learning_ = true;
}

int32_t MergeLearner::pairNumber(int32_t first, int32_t second)
{
    const uint64_t key = uint64_t(uint32_t(first)) << 32U | uint32_t(second);
    const auto [it, isNew] = pairNumbers_.try_emplace(key, int32_t(pairs_.size()));
    if (isNew)
        pairs_.push_back({.first = first, .second = second, .changes = {}});
    return it->second;
}

/// Adds `count` (may be negative) to how often a pair occurs, and `by` to how often in `word`.
void MergeLearner::add(int32_t first, int32_t second, int32_t word, int64_t count, int32_t by)
{
    const int32_t number = pairNumber(first, second);
    Pair& pair = pairs_[size_t(number)];
    if (!pair.live) {
        pair.live = true;
        pair.count = 0;
        live_.push_back(number);
    }
    pair.count += count;
    pair.changes.push_back({word, by});
    if (learning_ && count > 0 && pair.count > 0) {
        heap_.push_back({pair.count, number});
        std::ranges::push_heap(heap_, [&](auto& a, auto& b) { return comesLater(a, b); });
    }
}

bool MergeLearner::comesLater(const Candidate& a, const Candidate& b) const
{
    if (a.count != b.count)
        return a.count < b.count;
    const Pair &left = pairs_[size_t(a.pair)], &right = pairs_[size_t(b.pair)];
    if (left.first != right.first)
        return symbols_.text(left.first) < symbols_.text(right.first);
    return left.second != right.second && symbols_.text(left.second) < symbols_.text(right.second);
}

/// The live pair that occurs most often, -1 where none occurs.
int32_t MergeLearner::mostFrequent()
{
    const auto later = [&](const Candidate& a, const Candidate& b) { return comesLater(a, b); };
    while (!heap_.empty()) {
        const Candidate top = heap_.front();
        const Pair& pair = pairs_[size_t(top.pair)];
        if (pair.live && pair.count == top.count)
            return top.pair;
        std::ranges::pop_heap(heap_, later);
        heap_.pop_back();
        if (pair.live && pair.count > 0 && pair.count < top.count) {
            heap_.push_back({pair.count, top.pair});
            std::ranges::push_heap(heap_, later);
        }
    }
    return -1;
}

/// Live pairs below the threshold are no longer; their counts are kept.
void MergeLearner::prune()
{
    std::erase_if(live_, [&](int32_t number) {
        Pair& pair = pairs_[size_t(number)];
        if (double(pair.count) >= threshold_)
            return false;
        pair.full = pair.count < 0 ? pair.full + pair.count : pair.count;
        pair.known = true;
        pair.live = false;
        return true;
    });
}

/// Begins anew with all pairs, once those that were live occur too seldom.
void MergeLearner::useFullCounts(int64_t step)
{
    prune();
    live_.clear();
    int64_t most = 0;
    for (size_t number = 0; number < pairs_.size(); ++number) {
        Pair& pair = pairs_[number];
        if (!pair.known)
            continue;
        pair.live = true;
        pair.count = pair.full;
        live_.push_back(int32_t(number));
        most = std::max(most, pair.count);
    }
    threshold_ = double(most * step) / (double(step) + 10000.0);
    prune();
    fillHeap();
}

void MergeLearner::fillHeap()
{
    heap_.clear();
    for (const int32_t number : live_)
        if (pairs_[size_t(number)].count > 0)
            heap_.push_back({pairs_[size_t(number)].count, number});
    std::ranges::make_heap(heap_, [&](auto& a, auto& b) { return comesLater(a, b); });
}

/// The pair to merge in a step, -1 at the end.
int32_t MergeLearner::next(int64_t step)
{
    int32_t best = mostFrequent();
    if (best < 0 || (step > 0 && double(pairs_[size_t(best)].count) < threshold_)) {
        useFullCounts(step);
        best = mostFrequent();
    }
    return best >= 0 && pairs_[size_t(best)].count >= rules_.minimumCount ? best : -1;
}

/// Merges a pair in one word and counts what that changes around it. `first second` is looked for
/// in the word as it was, `merged` in all of the word as it is, as subword-nmt does.
void MergeLearner::applyTo(int32_t word, int32_t first, int32_t second, int32_t merged)
{
    Word& entry = words_[size_t(word)];
    int32_t* now = arena_.data() + entry.from;
    before_.assign(now, now + entry.size);
    const std::vector<int32_t>& old = before_;
    const size_t size = old.size();
    size_t to = 0;
    for (size_t i = 0; i < size; ++to) {
        const bool here = old[i] == first && i + 1 < size && old[i + 1] == second;
        now[to] = here ? merged : old[i];
        i += here ? 2 : 1;
    }
    entry.size = int32_t(to);
    const int64_t count = entry.count;
    for (size_t i = 0; i + 1 < size; ++i) {
        if (old[i] != first || old[i + 1] != second)
            continue;
        if (i > 0)
            add(old[i - 1], first, word, -count, -1);
        // In A B C B C the pair C B is counted from its other side.
        if (i + 2 < size && (old[i + 2] != first || i + 3 >= size || old[i + 3] != second))
            add(second, old[i + 2], word, -count, -1);
        ++i;
    }
    for (size_t i = 0; i < to; ++i) {
        if (now[i] != merged)
            continue;
        if (i > 0)
            add(now[i - 1], merged, word, count, 1);
        if (i + 1 < to && now[i + 1] != merged)
            add(merged, now[i + 1], word, count, 1);
    }
}

void MergeLearner::apply(int32_t pair)
{
    const int32_t first = pairs_[size_t(pair)].first, second = pairs_[size_t(pair)].second;
    const int32_t merged =
        symbols_.number(rules_.join(symbols_.text(first), symbols_.text(second)));
    std::vector<Change> changes = std::exchange(pairs_[size_t(pair)].changes, {});
    pairs_[size_t(pair)].count = 0;
    std::ranges::sort(changes, {}, &Change::word);
    for (size_t from = 0, to = 0; from < changes.size(); from = to) {
        int32_t occurs = 0;
        for (; to < changes.size() && changes[to].word == changes[from].word; ++to)
            occurs += changes[to].by;
        if (occurs > 0)
            applyTo(changes[from].word, first, second, merged);
    }
    pairs_[size_t(pair)].count = 0;
}

std::vector<Merge> MergeLearner::learn()
{
    constexpr int64_t kStepsBetweenPruning = 100;
    std::vector<Merge> merges;
    for (int64_t step = 0; step < rules_.merges; ++step) {
        if (rules_.tick)
            rules_.tick();
        const int32_t best = next(step);
        if (best < 0)
            break;
        const Pair& pair = pairs_[size_t(best)];
        merges.push_back({symbols_.text(pair.first), symbols_.text(pair.second)});
        apply(best);
        if (step % kStepsBetweenPruning == 0)
            prune();
        if (rules_.goOn && !rules_.goOn(rules_.join(merges.back().first, merges.back().second)))
            break;
    }
    return merges;
}

} // namespace

std::vector<Merge> learnMerges(const WordCounts& words, const MergeRules& rules)
{
    SB_REQUIRE(rules.merges >= 0 && rules.minimumCount >= 1,
               "merges are learned from pairs that occur at least once");
    return MergeLearner(words, rules).learn();
}

} // namespace scalebench::text
