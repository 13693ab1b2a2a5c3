// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/interaction_data.h"

#include "engine/data/hash_random.h"
#include "engine/workloads/ncf/preferences_generator.h"
#include "kernels/check.h"

#include <algorithm>

namespace scalebench::workloads {
namespace {

PreferencesSpec specOf(const NcfRecipe& recipe)
{
    return {recipe.users, recipe.items, recipe.ratingsPerUser, kPreferencesSeed};
}

/// Of the drawn test items: of the data, not of a run, so that repeats measure the same.
constexpr uint64_t kTestSeed = 1;

/// `count` different items that are neither in `taken` (ascending) nor `test`.
void drawUntaken(const Interactions& set, std::span<const int32_t> taken, int32_t test,
                 data::HashRandom random, std::span<int32_t> out)
{
    std::vector<bool> used(size_t(set.items), false);
    for (const int32_t item : taken)
        used[size_t(item)] = true;
    used[size_t(test)] = true;
    for (int32_t& item : out) {
        do
            item = int32_t(random.below(uint32_t(set.items)));
        while (used[size_t(item)]);
        used[size_t(item)] = true;
    }
}

} // namespace

void writeInteractions(const RunConfig& config, const NcfRecipe& recipe,
                       const LoadProgress& progress)
{
    if (config.data.source == DataSource::Generated)
        ensurePreferences(config.data.path, specOf(recipe), tickOf(progress));
}

void drawTestNegatives(Interactions& set, int64_t count, uint64_t seed)
{
    set.negativesPerTest = count;
    set.negatives.resize(size_t(set.tests() * count));
    for (int64_t test = 0; test < set.tests(); ++test) {
        const int64_t user = set.testUsers[size_t(test)];
        const std::span<const int32_t> taken = set.itemsOf(user);
        const int64_t left = set.items - int64_t(taken.size()) - 1;
        if (left < count)
            throw InvalidArgument(
                set.describeUser(user) + " has taken all but " + std::to_string(left) + " of the " +
                    std::to_string(set.items) +
                    " items, but \"data.test_negatives\" "
                    "asks for " +
                    std::to_string(count) +
                    " to rank the test item against: ask for fewer, or set \"data.ranking\" to "
                    "\"full\"",
                "data_damaged");
        drawUntaken(set, taken, set.testItems[size_t(test)],
                    data::HashRandom({seed, 61, uint64_t(test)}),
                    std::span(set.negatives).subspan(size_t(test * count), size_t(count)));
    }
}

Interactions syntheticInteractions(const NcfRecipe& recipe)
{
    Interactions set;
    set.users = recipe.users;
    set.items = recipe.items;
    set.format = "synthetic";
    set.firstOfUser.push_back(0);
    data::HashRandom random({62});
    for (int64_t user = 0; user < set.users; ++user) {
        // Steps of random length through the items: ascending, none twice.
        const int64_t taken = std::min(recipe.ratingsPerUser, set.items - 1);
        const uint32_t longest = uint32_t(std::max<int64_t>(1, (set.items - 1) / taken));
        int64_t item = 0;
        for (int64_t i = 0; i < taken; ++i, item += 1 + random.below(longest)) {
            set.trainUsers.push_back(int32_t(user));
            set.trainItems.push_back(int32_t(item));
        }
        set.firstOfUser.push_back(int64_t(set.trainItems.size()));
        set.testUsers.push_back(int32_t(user));
        set.testItems.push_back(int32_t(set.items - 1));
    }
    return set;
}

Interactions loadInteractions(const RunConfig& config, const NcfRecipe& recipe)
{
    std::unique_ptr<data::GeneratedSetLock> lock;
    if (config.data.source == DataSource::Generated)
        lock = ensurePreferences(config.data.path, specOf(recipe));
    Interactions set = config.data.source == DataSource::Synthetic
                           ? syntheticInteractions(recipe)
                           : readInteractions(config.data.path, {recipe.minimumRatings});
    if (!recipe.fullRanking && set.negativesPerTest == 0)
        drawTestNegatives(set, recipe.testNegatives, kTestSeed);
    return set;
}

} // namespace scalebench::workloads
