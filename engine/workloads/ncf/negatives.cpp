// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/negatives.h"

#include "engine/data/hash_random.h"
#include "kernels/check.h"

#include <string>

namespace scalebench::workloads {
namespace {

constexpr uint64_t kNegativeStream = 52;
constexpr int kRedraws = 64;

/// The n-th (from 0) of all items that are not in `taken`, which ascends.
int32_t nthOther(std::span<const int32_t> taken, int32_t n)
{
    for (const int32_t item : taken) {
        if (item > n)
            break;
        ++n;
    }
    return n;
}

} // namespace

TrainSamples::TrainSamples(const Interactions& set, int negativesPerPositive, uint64_t seed)
    : set_(set), slots_(int64_t{1} + negativesPerPositive), seed_(seed)
{
    SB_REQUIRE(negativesPerPositive >= 0, "the number of negatives per positive is below 0");
    if (set.positives() == 0)
        throw InvalidArgument("there are no interactions to train on", "data_empty");
    for (int64_t user = 0; negativesPerPositive > 0 && user < set.users; ++user)
        if (int64_t(set.itemsOf(user).size()) >= set.items)
            throw InvalidArgument(set.describeUser(user) + " took all " +
                                      std::to_string(set.items) +
                                      " items: no item is left to draw as a negative.",
                                  "data_damaged");
}

int32_t TrainSamples::draw(int64_t epoch, int64_t index, int32_t user) const
{
    data::HashRandom random({seed_, kNegativeStream, uint64_t(epoch), uint64_t(index)});
    for (int i = 0; i < kRedraws; ++i) {
        const auto item = int32_t(random.below(uint32_t(set_.items)));
        if (!set_.isTrainPositive(user, item))
            return item;
    }
    // This user took nearly everything: choose among the rest, which is the same distribution.
    const std::span<const int32_t> taken = set_.itemsOf(user);
    return nthOther(taken, int32_t(random.below(uint32_t(set_.items - int64_t(taken.size())))));
}

TrainSample TrainSamples::sample(int64_t epoch, int64_t index) const
{
    const auto positive = size_t(index / slots_);
    const int32_t user = set_.trainUsers[positive];
    if (index % slots_ == 0)
        return {user, set_.trainItems[positive], 1};
    return {user, draw(epoch, index, user), 0};
}

void TrainSamples::fill(const data::EpochShuffle& order, int64_t first, std::span<int32_t> users,
                        std::span<int32_t> items, std::span<float> labels) const
{
    SB_REQUIRE(order.size() == perEpoch() && items.size() == users.size() &&
                   labels.size() == users.size() && first >= 0 &&
                   first + int64_t(users.size()) <= perEpoch(),
               "training samples are asked for beyond the end of the epoch");
    for (size_t i = 0; i < users.size(); ++i) {
        const TrainSample made = sample(order.epoch(), order(first + int64_t(i)));
        users[i] = made.user;
        items[i] = made.item;
        labels[i] = made.label;
    }
}

} // namespace scalebench::workloads
