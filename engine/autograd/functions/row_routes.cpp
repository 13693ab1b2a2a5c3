// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/row_routes.h"

#include "kernels/check.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

namespace scalebench::autograd {

RowRoutes::RowRoutes(const TablePlaces& p, std::int64_t t, std::int64_t n)
    : at(p), rank(p.rank), workers(p.workers), tables(t), samples(n), vectors(t + 1)
{
    blocksOf.resize(std::size_t(workers));
    for (std::size_t b = 0; b < p.blocks.size(); ++b)
        blocksOf.at(std::size_t(p.blocks[b].owner)).push_back(b);
    mine = blocksOf.at(std::size_t(rank));
}

namespace {

/// Which rows of a block there were, and their numbers.
class RowsSeen
{
public:
    /// For so many rows at the most.
    explicit RowsSeen(std::size_t most) : slots_(std::bit_ceil(2 * most)) {}

    /// Forgets all.
    void begin() { ++block_; }
    /// The number it came with first, or `next`, which is its number then.
    std::int32_t numberOf(std::int32_t row, std::int32_t next)
    {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = std::size_t(std::uint32_t(row) * 0x9e3779b9u >> 7) & mask;
        for (;; i = (i + 1) & mask) {
            Slot& slot = slots_[i];
            if (slot.block != block_)
                slot = {block_, row, next};
            if (slot.row == row)
                return slot.number;
        }
    }

private:
    struct Slot {
        std::uint32_t block = 0;
        std::int32_t row = 0, number = 0;
    };
    std::vector<Slot> slots_; // open addressing, at most half full
    std::uint32_t block_ = 0;
};

} // namespace

void RowRoutes::routeTo(std::span<const std::int32_t> all, int worker)
{
    const auto n = std::size_t(samples);
    std::int32_t* question = questions.data();
    for (int r = 0; r < worker; ++r)
        question += blocksOf[std::size_t(r)].size() * n;
    RowsSeen seen(n);
    for (const std::size_t b : blocksOf[std::size_t(worker)]) {
        const TableBlock& block = at.blocks[b];
        seen.begin();
        std::size_t asked = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t id = all[block.table * n + i];
            if (!block.has(id) || hot(block.table, id))
                continue;
            const std::int32_t number = seen.numberOf(id, std::int32_t(rows_));
            if (number == rows_) {
                question[asked++] = std::int32_t(id - block.first);
                ++rows_;
            }
            const std::size_t position = positionOf(i, block.table);
            places[position] = number;
            positions.push_back(std::int32_t(position));
            named.push_back(number);
        }
        question += n;
    }
}

void RowRoutes::routeHot(std::span<const std::int32_t> all)
{
    if (!at.hot)
        return;
    const auto n = std::size_t(samples);
    for (std::size_t t = 0; t < std::size_t(tables); ++t)
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t number = at.hot->find(t, all[t * n + i]);
            if (number < 0)
                continue;
            const std::size_t position = positionOf(i, t);
            places[position] = std::int32_t(rows_ + std::int64_t(hotIds.size()));
            hotIds.push_back(number);
            hotPlaces.push_back(std::int32_t(position));
        }
}

void RowRoutes::requireAll(std::span<const std::int32_t> all) const
{
    const auto n = std::size_t(samples);
    if (positions.size() + hotIds.size() == n * std::size_t(tables))
        return;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t t = 0; t < std::size_t(tables); ++t)
            SB_REQUIRE(places[positionOf(i, t)] >= 0,
                       "owned tables: id " + std::to_string(all[t * n + i]) + " of sample " +
                           std::to_string(i) + " is outside table " + std::to_string(t + 1));
}

void RowRoutes::route(std::span<const std::int32_t> all)
{
    places.assign(std::size_t(samples * vectors), -1);
    questions.assign(at.blocks.size() * std::size_t(samples), -1);
    positions.reserve(std::size_t(samples * tables));
    named.reserve(std::size_t(samples * tables));
    wanted.assign(std::size_t(workers), 0);
    for (int r = 0; r < workers; ++r) {
        if (r == rank)
            continue;
        const std::int64_t before = rows_;
        routeTo(all, r);
        wanted[std::size_t(r)] = rows_ - before;
    }
    others_ = rows_;
    routeTo(all, rank);
    routeHot(all);
    requireAll(all);
    const std::int64_t behind = rows_ + std::int64_t(hotIds.size());
    for (std::int64_t i = 0; i < samples; ++i)
        places[std::size_t(i * vectors)] = std::int32_t(behind + i);
}

std::vector<std::int64_t> RowRoutes::starts() const
{
    std::vector<std::int64_t> starts(askedOf.size(), 0);
    std::exclusive_scan(askedOf.begin(), askedOf.end(), starts.begin(), std::int64_t{0});
    return starts;
}

void RowRoutes::answer(std::span<const std::int32_t> asked)
{
    const auto n = std::size_t(samples), count = std::size_t(workers);
    ids.resize(mine.size());
    sources.resize(mine.size());
    counts.assign(mine.size(), std::vector<std::int64_t>(count, 0));
    askedOf.assign(count, 0);
    for (std::size_t j = 0; j < mine.size(); ++j) {
        const TableBlock& block = at.blocks[mine[j]];
        for (std::size_t r = 0; r < count; ++r) {
            const auto question = asked.subspan((r * mine.size() + j) * n, n);
            const auto end = std::ranges::find(question, -1);
            for (auto row = question.begin(); row != end; ++row)
                SB_REQUIRE(*row >= 0 && *row < block.rows,
                           "owned tables: worker " + std::to_string(r) + " asks for row " +
                               std::to_string(*row) + " of a block of " +
                               std::to_string(block.rows));
            ids[j].insert(ids[j].end(), question.begin(), end);
            counts[j][r] = end - question.begin();
            askedOf[r] += counts[j][r];
        }
    }
    // Its own rows lie behind those of the others.
    const std::int64_t mineAsked = std::exchange(askedOf[std::size_t(rank)], 0);
    std::vector<std::int64_t> next = starts();
    const auto others = std::accumulate(askedOf.begin(), askedOf.end(), std::int64_t{0});
    next[std::size_t(rank)] = others;
    asked_ = others + mineAsked;
    for (std::size_t j = 0; j < mine.size(); ++j)
        for (std::size_t r = 0; r < count; ++r)
            for (std::int64_t i = 0; i < counts[j][r]; ++i)
                sources[j].push_back(std::int32_t(next[r]++));
}

} // namespace scalebench::autograd
