// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/negatives.h"

#include "kernels/check.h"

#include <algorithm>
#include <array>
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
    : set_(set), taken_(set), slots_(int64_t{1} + negativesPerPositive), seed_(seed)
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

int32_t TrainSamples::draw(data::HashRandom random, int32_t user) const
{
    for (int i = 0; i < kRedraws; ++i) {
        const int32_t item = drawItem(random);
        if (!took(user, item))
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
    const data::HashRandom random({seed_, kNegativeStream, uint64_t(epoch), uint64_t(index)});
    return {user, draw(random, user), 0};
}

void TrainSamples::fill(const data::EpochShuffle& order, int64_t first, std::span<int32_t> users,
                        std::span<int32_t> items, std::span<float> labels) const
{
    SB_REQUIRE(order.size() == perEpoch() && items.size() == users.size() &&
                   labels.size() == users.size() && first >= 0 &&
                   first + int64_t(users.size()) <= perEpoch(),
               "training samples are asked for beyond the end of the epoch");
    // Samples lie all over the set: the reads of a block are under way together.
    struct Place {
        int64_t positive;
        bool drawn;
        data::HashRandom random{std::initializer_list<uint64_t>{}};
    };
    constexpr size_t kBlock = 64;
    std::array<Place, kBlock> places;
    std::array<int64_t, kBlock> indices;
    const data::HashRandom ofEpoch({seed_, kNegativeStream, uint64_t(order.epoch())});
    for (size_t begin = 0; begin < users.size(); begin += kBlock) {
        const size_t count = std::min(kBlock, users.size() - begin);
        order.fill(first + int64_t(begin), std::span(indices).first(count));
        for (size_t i = 0; i < count; ++i) {
            const int64_t index = indices[i], positive = index / slots_;
            places[i] = {positive, index % slots_ != 0, ofEpoch.with(uint64_t(index))};
            __builtin_prefetch(&set_.trainUsers[size_t(positive)]);
            __builtin_prefetch(&set_.trainItems[size_t(positive)]);
        }
        for (size_t i = 0; i < count; ++i) {
            const auto& [positive, drawn, random] = places[i];
            users[begin + i] = set_.trainUsers[size_t(positive)];
            items[begin + i] = set_.trainItems[size_t(positive)];
            labels[begin + i] = drawn ? 0.0f : 1.0f;
            data::HashRandom next = random;
            taken_.prefetch(users[begin + i], drawItem(next));
        }
        for (size_t i = 0; i < count; ++i)
            if (places[i].drawn)
                items[begin + i] = draw(places[i].random, users[begin + i]);
    }
}

} // namespace scalebench::workloads
