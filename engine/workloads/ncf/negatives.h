// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Training samples: what users took, and items drawn for contrast that they did not take.

#include "engine/data/epoch_shuffle.h"
#include "engine/data/hash_random.h"
#include "engine/workloads/ncf/interactions.h"
#include "engine/workloads/ncf/taken_filter.h"

#include <cstdint>
#include <span>

namespace scalebench::workloads {

struct TrainSample {
    int32_t user;
    int32_t item;
    float label; ///< 1: the user took the item, 0: it was drawn
};

/// Every positive and `negativesPerPositive` drawn items of its user, drawn anew each epoch:
/// uniform over all items but the user's training positives, as in the paper's code. A pure
/// function of (seed, epoch, index): any worker may make any part. Const calls are thread-safe.
class TrainSamples
{
public:
    /// `set` must outlive this. Throws InvalidArgument: `data_empty` without positives,
    /// `data_damaged` when a user took every item, as nothing is left to draw.
    TrainSamples(const Interactions& set, int negativesPerPositive, uint64_t seed);

    int64_t perEpoch() const { return set_.positives() * slots_; }
    /// Sample `index` of 0 ... perEpoch() - 1, not shuffled: a positive, then what was drawn for
    /// it.
    TrainSample sample(int64_t epoch, int64_t index) const;
    /// The order of an epoch: sample(epoch, order(position)).
    data::EpochShuffle order(int64_t epoch) const { return {perEpoch(), seed_, epoch}; }
    /// Samples at positions first, first + 1, ... of an epoch's order() into users, items, labels:
    /// [B] each.
    void fill(const data::EpochShuffle& order, int64_t first, std::span<int32_t> users,
              std::span<int32_t> items, std::span<float> labels) const;

private:
    bool took(int32_t user, int32_t item) const
    {
        return taken_.maybe(user, item) && set_.isTrainPositive(user, item);
    }
    int32_t drawItem(data::HashRandom& random) const
    {
        return int32_t(random.below(uint32_t(set_.items)));
    }
    int32_t draw(data::HashRandom random, int32_t user) const;

    const Interactions& set_;
    TakenFilter taken_;
    int64_t slots_; ///< samples per positive
    uint64_t seed_;
};

} // namespace scalebench::workloads
