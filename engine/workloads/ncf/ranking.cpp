// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/ranking.h"

#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scalebench::workloads {
namespace {

/// An item with its key's place in the dict and the score that stays.
struct Candidate {
    size_t place;
    float score;
};

/// True when `other` comes before `test` in a stable descending sort.
bool before(const Candidate& other, const Candidate& test)
{
    return other.score > test.score || (other.score == test.score && other.place < test.place);
}

/// Indices of `items`, equal items together and in order.
std::vector<uint32_t> groupedByItem(std::span<const int32_t> items)
{
    std::vector<uint32_t> order(items.size());
    std::iota(order.begin(), order.end(), uint32_t{0});
    std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
        return items[a] != items[b] ? items[a] < items[b] : a < b;
    });
    return order;
}

} // namespace

int64_t rankOfLast(std::span<const float> scores, std::span<const int32_t> items)
{
    SB_REQUIRE(!items.empty() && items.size() == scores.size(),
               "a ranking needs one score per item and at least the test item");
    if (std::ranges::any_of(scores, [](float score) { return std::isnan(score); }))
        return kUnranked;
    const auto first = std::ranges::find(items, items.back()) - items.begin();
    const Candidate test{size_t(first), scores.back()};
    const std::vector<uint32_t> order = groupedByItem(items);
    int64_t rank = 0;
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && items[order[end]] == items[order[begin]])
            ++end;
        rank += before({order[begin], scores[order[end - 1]]}, test);
    }
    return rank;
}

int64_t rankAmongAll(std::span<const float> scores, std::span<const int32_t> taken,
                     int32_t positive)
{
    SB_REQUIRE(positive >= 0 && size_t(positive) < scores.size(),
               "the test item must be one of the items that are ranked");
    const float score = scores[size_t(positive)];
    if (std::isnan(score))
        return kUnranked;
    int64_t rank = -1; // it meets itself
    auto next = taken.begin();
    for (size_t item = 0; item < scores.size(); ++item) {
        if (next != taken.end() && size_t(*next) == item) {
            ++next;
            if (item != size_t(positive))
                continue;
        }
        if (std::isnan(scores[item]))
            return kUnranked;
        rank += scores[item] >= score;
    }
    return rank;
}

void RankingTotals::add(int64_t rank)
{
    if (rank < k())
        ++counts_[size_t(rank)];
    ++counts_.back();
}

void RankingTotals::merge(const RankingTotals& other)
{
    SB_REQUIRE(other.k() == k(), "rankings of different lengths cannot be added");
    for (size_t i = 0; i < counts_.size(); ++i)
        counts_[i] += other.counts_[i];
}

double RankingTotals::hitRate() const
{
    const int64_t hits = std::accumulate(counts_.begin(), counts_.end() - 1, int64_t{0});
    return users() > 0 ? double(hits) / double(users()) : 0;
}

double RankingTotals::ndcg() const
{
    double sum = 0;
    for (int rank = 0; rank < k(); ++rank)
        sum += double(counts_[size_t(rank)]) * std::log(2.0) / std::log(rank + 2.0);
    return users() > 0 ? sum / double(users()) : 0;
}

} // namespace scalebench::workloads
