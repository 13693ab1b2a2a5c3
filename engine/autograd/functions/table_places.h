// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which worker has which rows of the tables of a network, and which rows all of them have.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace scalebench::autograd {

/// Rows [first, first + rows) of a table, which lie on one worker.
struct TableBlock {
    std::size_t table = 0;
    std::int64_t first = 0, rows = 0;
    int owner = 0;

    bool has(std::int64_t row) const noexcept { return row >= first && row < first + rows; }
    bool operator==(const TableBlock&) const = default;
};

/// Rows that every worker has beside their owner, because they are looked up often.
class HotRows
{
public:
    struct Row {
        std::size_t table = 0;
        std::int32_t row = 0;
    };
    /// Each row once.
    explicit HotRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const noexcept { return rows_; }
    /// Its number in rows(), or -1.
    std::int32_t find(std::size_t table, std::int32_t row) const noexcept
    {
        const std::uint64_t key = keyOf(table, row);
        for (std::size_t at = slotOf(key);; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.number < 0 || slot.key == key)
                return slot.number;
        }
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::int32_t number = -1;
    };
    static std::uint64_t keyOf(std::size_t table, std::int32_t row) noexcept
    {
        return std::uint64_t(table) << 32 | std::uint32_t(row);
    }
    std::size_t slotOf(std::uint64_t key) const noexcept
    {
        return std::size_t(key * 0x9e3779b97f4a7c15ull >> 32) & mask_;
    }

    std::vector<Row> rows_;
    std::vector<Slot> slots_; // open addressing, at most half full
    std::size_t mask_ = 0;
};

/// This worker is `rank` of `workers`.
struct TablePlaces {
    /// By table, then by first row; together all rows of all tables. None: every worker has all.
    std::vector<TableBlock> blocks;
    std::shared_ptr<const HotRows> hot; ///< null: none
    int rank = 0, workers = 1;
};

} // namespace scalebench::autograd
