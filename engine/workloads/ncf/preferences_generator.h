// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The generated set `scalebench-preferences-v1`: users with hidden tastes who take items of hidden
// kinds, a few of them popular, most of them rarely taken. Learnable, not trivial: meant to train
// on where no public set is at hand. Written in the format of the NCF paper and labelled.

#include "engine/data/epoch_shuffle.h"
#include "engine/data/generated_set.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::workloads {

inline constexpr const char* kPreferencesName = "scalebench-preferences-v1";
inline constexpr uint64_t kPreferencesSeed = 1; ///< of the set; a run's own seed does not touch it

struct PreferencesSpec {
    int64_t users = 1500;
    int64_t items = 1200;
    int64_t interactionsPerUser = 40; ///< on average, without the test item; from half to 3/2 of it
    uint64_t seed = kPreferencesSeed;
};

/// What one user took.
struct PreferenceHistory {
    std::vector<int32_t> train;     ///< ascending
    int32_t test = 0;               ///< one of those taken, chosen by chance
    std::vector<int32_t> negatives; ///< [99], never taken, no item twice
};

/// The model behind the set, a pure function of the specification on every platform: whole numbers
/// only.
class PreferenceModel
{
public:
    /// Throws InvalidArgument for no users, fewer than 4 interactions a user, or too few items:
    /// 2 interactionsPerUser + 200 are needed.
    explicit PreferenceModel(const PreferencesSpec& spec);

    /// How much the user likes the item: what it draws is in proportion to this; at least 1.
    uint32_t weight(int64_t user, int64_t item) const;
    PreferenceHistory history(int64_t user) const;

private:
    /// Two of the kinds there are, the first one stronger.
    struct Tastes {
        uint32_t first;
        uint32_t second;
    };
    Tastes tastes(uint64_t stream, int64_t index) const;
    uint32_t popularity(int64_t item) const;
    std::vector<uint64_t> summedWeights(int64_t user) const;

    PreferencesSpec spec_;
    data::EpochShuffle popularityRank_;
    std::vector<Tastes> kinds_; ///< [items]
};

/// Makes sure that the set lies at `path` (a folder), writing it where it is missing or follows
/// another specification; see ensureGenerated(). readInteractions(path) reads it.
/// Throws Error (`not_writable`, `disk_full`), InvalidArgument as PreferenceModel.
std::unique_ptr<data::GeneratedSetLock> ensurePreferences(const std::string& path,
                                                          const PreferencesSpec& spec = {},
                                                          const std::function<void()>& tick = {});

} // namespace scalebench::workloads
