// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Most of what is drawn for contrast was not taken, and a search through a user's items says so
// only after several reads that no processor foresees. Here one word does.

#include "engine/workloads/ncf/interactions.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scalebench::workloads {

/// Whether a user may have taken an item: a Bloom filter (Bloom, "Space/time trade-offs in hash
/// coding with allowable errors", 1970) whose two bits lie in one word, 16 to 32 bits for each
/// positive. False is certain; of items not taken, at most 2 in 100 get true. Const calls are
/// thread-safe.
class TakenFilter
{
public:
    explicit TakenFilter(const Interactions& set)
        : words_(std::bit_ceil(std::size_t(set.positives()) / 4 + 1)),
          shift_(64 - std::countr_zero(words_.size()))
    {
        for (std::size_t i = 0; i < set.trainItems.size(); ++i) {
            const std::uint64_t hash = hashOf(set.trainUsers[i], set.trainItems[i]);
            words_[wordOf(hash)] |= bitsOf(hash);
        }
    }

    bool maybe(std::int32_t user, std::int32_t item) const
    {
        const std::uint64_t hash = hashOf(user, item), bits = bitsOf(hash);
        return (words_[wordOf(hash)] & bits) == bits;
    }
    /// Has maybe() find its word in the caches a little later.
    void prefetch(std::int32_t user, std::int32_t item) const
    {
        __builtin_prefetch(&words_[wordOf(hashOf(user, item))]);
    }

private:
    static std::uint64_t hashOf(std::int32_t user, std::int32_t item)
    {
        const std::uint64_t pair = std::uint64_t(std::uint32_t(user)) << 32 | std::uint32_t(item);
        const std::uint64_t mixed = pair * 0x9e3779b97f4a7c15ull;
        return (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9ull;
    }
    /// The upper bits, as the lower ones of a product know only the lower ones of its operands.
    std::size_t wordOf(std::uint64_t hash) const { return shift_ < 64 ? hash >> shift_ : 0; }
    static std::uint64_t bitsOf(std::uint64_t hash)
    {
        return std::uint64_t{1} << (hash & 63) | std::uint64_t{1} << (hash >> 6 & 63);
    }

    std::vector<std::uint64_t> words_; ///< a power of two
    int shift_;
};

} // namespace scalebench::workloads
