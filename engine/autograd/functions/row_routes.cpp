// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/row_routes.h"

#include "kernels/check.h"

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

std::vector<std::int32_t> RowRoutes::questions(std::span<const std::int32_t> all) const
{
    const auto n = std::size_t(samples);
    std::vector<std::int32_t> asked;
    asked.reserve(at.blocks.size() * n);
    for (const auto& blocks : blocksOf)
        for (const std::size_t b : blocks) {
            const auto of = all.subspan(at.blocks[b].table * n, n);
            asked.insert(asked.end(), of.begin(), of.end());
        }
    return asked;
}

void RowRoutes::routeTo(std::span<const std::int32_t> all, int worker)
{
    const auto n = std::size_t(samples);
    for (const std::size_t b : blocksOf[std::size_t(worker)]) {
        const TableBlock& block = at.blocks[b];
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t id = all[block.table * n + i];
            if (!block.has(id) || hot(block.table, id))
                continue;
            const std::size_t position = positionOf(i, block.table);
            places[position] = std::int32_t(order.size());
            order.push_back(std::int32_t(position));
        }
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
            places[position] = std::int32_t(order.size() + hotIds.size());
            hotIds.push_back(number);
            hotPlaces.push_back(std::int32_t(position));
        }
}

void RowRoutes::requireAll(std::span<const std::int32_t> all) const
{
    const auto n = std::size_t(samples);
    if (order.size() + hotIds.size() == n * std::size_t(tables))
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
    order.reserve(std::size_t(samples * tables));
    wanted.assign(std::size_t(workers), 0);
    for (int r = 0; r < workers; ++r) {
        if (r == rank)
            continue;
        const auto before = std::int64_t(order.size());
        routeTo(all, r);
        wanted[std::size_t(r)] = std::int64_t(order.size()) - before;
    }
    others_ = std::int64_t(order.size());
    routeTo(all, rank);
    routeHot(all);
    requireAll(all);
    for (std::int64_t i = 0; i < samples; ++i)
        places[std::size_t(i * vectors)] =
            std::int32_t(order.size() + hotIds.size()) + std::int32_t(i);
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
            for (const std::int32_t id : asked.subspan((r * mine.size() + j) * n, n))
                if (block.has(id) && !hot(block.table, id))
                    ids[j].push_back(std::int32_t(id - block.first));
            counts[j][r] = std::int64_t(ids[j].size()) -
                           std::accumulate(counts[j].begin(), counts[j].begin() + std::ptrdiff_t(r),
                                           std::int64_t{0});
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
