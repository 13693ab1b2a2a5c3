// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loop behind byte pairs and word pieces: the pair of neighbouring symbols that occurs most
// often becomes one symbol, again and again (Sennrich, Haddow, Birch 2016).

#include "engine/text/word_counts.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::text {

/// Two symbols that become one.
struct Merge {
    std::string first, second;
    bool operator==(const Merge&) const = default;
};

struct MergeRules {
    int64_t merges = 0;       ///< at most so many
    int64_t minimumCount = 2; ///< ends when no pair occurs so often; at least 1
    std::function<std::vector<std::string>(std::string_view word)> symbols; ///< a word's first ones
    std::function<std::string(const std::string&, const std::string&)> join;
    /// Called now and then, if set; may throw to stop.
    std::function<void()> tick;
    /// Called after each merge with the new symbol, if set; false ends.
    std::function<bool(const std::string&)> goOn;
};

/// In the order of learning. Of pairs that occur equally often the one whose symbols are last by
/// their bytes comes first. Counts are kept exactly as subword-nmt's learn_bpe keeps them,
/// including what it loses where one symbol can be made in two ways, so that its merges are the
/// same to the last.
std::vector<Merge> learnMerges(const WordCounts& words, const MergeRules& rules);

} // namespace scalebench::text
