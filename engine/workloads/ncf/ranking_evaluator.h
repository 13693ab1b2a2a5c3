// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Hit rate and NDCG of the users' held-out items. Whole counts are merged, so the result is the
// same to the last bit for any number of workers.

#include "engine/data/sampled_source.h"
#include "engine/workloads/evaluator.h"
#include "engine/workloads/ncf/interactions.h"
#include "engine/workloads/ncf/ranking.h"

namespace scalebench::workloads {

/// Makes an evaluation batch of test users: tensors users and items, I32 [users of the list, C], C
/// candidates a user: what the test item is ranked against, then the item itself (sampled), or all
/// items in order (full). Its notes are a std::vector<int64_t>: the numbers of the real tests.
class CandidateBatches
{
public:
    CandidateBatches(const Interactions& set, bool fullRanking, Allocator& memory);
    void fill(const data::SampleList& list, Batch& batch) const;
    int64_t candidates() const { return candidates_; }

private:
    const Interactions& set_;
    bool full_;
    int64_t candidates_;
    Allocator& memory_;
};

class RankingEvaluator final : public Evaluator
{
public:
    RankingEvaluator(const Interactions& set, bool fullRanking, int top)
        : set_(set), full_(fullRanking), totals_(top)
    {
    }

    void add(Backend& backend, Network& network, const Batch& batch) override;
    std::string partial() const override;
    Evaluation merge(std::span<const std::string> partials) const override;

private:
    const Interactions& set_;
    bool full_;
    RankingTotals totals_;
};

} // namespace scalebench::workloads
