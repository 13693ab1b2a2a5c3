// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Hit rate and NDCG of a held-out item among others, as evaluate.py of the NCF paper's authors
// (github.com/hexiangnan/neural_collaborative_filtering) measures them.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace scalebench::workloads {

/// The rank where a score is no number: behind everything, a miss for every K.
inline constexpr int64_t kUnranked = std::numeric_limits<int64_t>::max();

/// Rank from 0 of the last item among all; scores and items [candidates], at least one. As in the
/// paper's code the items are keys of a dict: one that comes again counts once, in its first place
/// and with its last score. Of equal scores the earlier item ranks first, so ties count against
/// the test item unless it was also among the negatives.
int64_t rankOfLast(std::span<const float> scores, std::span<const int32_t> items);

/// Rank from 0 of `positive` among all items but `taken` (ascending: the user's training
/// positives), scores [items]. Ties count against it, as if it came last. Scores of taken items
/// are not looked at.
int64_t rankAmongAll(std::span<const float> scores, std::span<const int32_t> taken,
                     int32_t positive);

/// Collects ranks. Keeps whole counts only, so that any split over workers gives the same result
/// to the last bit.
class RankingTotals
{
public:
    /// `k`: length of the list that is shown to the user, at least 1.
    explicit RankingTotals(int k) : counts_(size_t(k) + 1, 0) {}

    int k() const { return int(counts_.size()) - 1; }
    void add(int64_t rank);
    void merge(const RankingTotals& other); ///< of the same k
    /// [k + 1]: how often each rank 0 ... k - 1 came, then all ranks: to be summed over workers.
    std::span<int64_t> counts() { return counts_; }
    std::span<const int64_t> counts() const { return counts_; }

    int64_t users() const { return counts_.back(); }
    /// Share of users whose item is among the first k; 0 without users.
    double hitRate() const;
    /// Mean over users of log 2 / log(rank + 2), 0 for a miss; 0 without users.
    double ndcg() const;

private:
    std::vector<int64_t> counts_;
};

} // namespace scalebench::workloads
