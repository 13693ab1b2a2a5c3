// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What attention's forward leaves for backward where sequences are short: the exponentials of its
// tiles, so that backward neither multiplies queries by keys again nor draws dropout again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/attention.h"
#include "kernels/cpu/attention_tile.h"

namespace scalebench::kernels::cpu {

/// Where the tiles of all units (a head of a segment) lie: exponentials as softmaxStep() leaves
/// them, negative where dropout hides them, the rows of a tile side by side; and the maximum that
/// each row had then.
template <class Element>
class KeptTiles
{
public:
    struct Tile {
        Element* exponentials; ///< [queries, width of the tile]
        float* top;            ///< [queries]
    };

    /// `memory` may be null: then there is nothing but the sizes.
    KeptTiles(const AttentionParams& p, std::span<const AttentionSegment> segments, void* memory)
        : memory_(static_cast<std::byte*>(memory)), segments_(segments), heads_(p.heads)
    {
        starts_.reserve(segments.size() + 1);
        starts_.push_back(0);
        for (const AttentionSegment& s : segments)
            starts_.push_back(starts_.back() + heads_ * unitBytes(s));
    }

    bool available() const { return memory_ != nullptr; }
    std::size_t bytes() const { return std::size_t(starts_.back()); }
    /// Of them, those of exponentials.
    std::size_t exponentialBytes() const
    {
        std::int64_t bytes = 0;
        for (const AttentionSegment& s : segments_)
            bytes += heads_ * s.queryCount * rowBytes(s);
        return std::size_t(bytes);
    }

    /// Of queries from `query` and keys from `key` on, multiples of kTile.
    Tile at(std::size_t segment, std::int64_t head, std::int64_t query, std::int64_t key) const
    {
        const AttentionSegment& s = segments_[segment];
        const std::int64_t queries = std::min(kTile, s.queryCount - query);
        std::byte* const rows =
            memory_ + starts_[segment] + head * unitBytes(s) + query * (rowBytes(s) + topBytes(s));
        return {reinterpret_cast<Element*>(rows) + queries * key,
                reinterpret_cast<float*>(rows + queries * rowBytes(s)) + queries * (key / kTile)};
    }

    /// Asks for the lines of a unit's first tile.
    void prefetch(std::size_t segment, std::int64_t head) const
    {
        const std::int64_t unit = unitBytes(segments_[segment]);
        const std::byte* const at = memory_ + starts_[segment] + head * unit;
        for (std::int64_t i = 0; i < std::min(unit, kTile * kTile * std::int64_t(sizeof(Element)));
             i += kLine)
            __builtin_prefetch(at + i);
    }

private:
    static constexpr std::int64_t kLine = 64;

    /// As wide as the widest tiles of any kind of product.
    static std::int64_t rowBytes(const AttentionSegment& s)
    {
        return tile::padded(s.keyCount, tile::kDepth) * std::int64_t(sizeof(Element));
    }
    static std::int64_t topBytes(const AttentionSegment& s)
    {
        return (s.keyCount + kTile - 1) / kTile * std::int64_t(sizeof(float));
    }
    static std::int64_t unitBytes(const AttentionSegment& s)
    {
        return tile::padded(s.queryCount * (rowBytes(s) + topBytes(s)), kLine);
    }

    std::byte* memory_;
    std::span<const AttentionSegment> segments_;
    std::int64_t heads_;
    std::vector<std::int64_t> starts_; ///< in bytes, by segment, and the end
};

} // namespace scalebench::kernels::cpu
