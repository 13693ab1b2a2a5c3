// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ways of the rows of one batch: which worker sends which to whom, in which order. Rows come to
// lie by worker, then by block, then by sample: those of the other workers, this worker's own, hot
// ones; behind them one of each sample that comes from no table. "Position" is sample * vectors +
// vector: that one, then those of the tables. Knows no tensors and sends nothing.

#include "engine/autograd/functions/table_places.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scalebench::autograd {

struct RowRoutes {
    /// `places` must outlive it.
    RowRoutes(const TablePlaces& places, std::int64_t tables, std::int64_t samples);

    /// ids [tables,samples] as the owners are asked: for each worker, of each of its blocks all ids
    /// of the table.
    std::vector<std::int32_t> questions(std::span<const std::int32_t> ids) const;
    /// What this worker will get. InvalidArgument for an id outside its table.
    void route(std::span<const std::int32_t> ids);
    /// What it will give, from the questions of all workers, each [blocks of this one, samples].
    void answer(std::span<const std::int32_t> questions);

    /// Rows of others and of this worker's own blocks that its batch needs.
    std::int64_t others() const noexcept { return others_; }
    std::int64_t own() const noexcept { return std::int64_t(order.size()) - others_; }
    /// Rows of its blocks that all workers need.
    std::int64_t asked() const noexcept { return asked_; }
    /// Of what each worker asked of this one, without its own.
    std::vector<std::int64_t> starts() const;

    const TablePlaces& at;
    int rank, workers;
    std::int64_t tables, samples;
    std::int64_t vectors;                           ///< of a sample
    std::vector<std::vector<std::size_t>> blocksOf; ///< by worker
    std::span<const std::size_t> mine;              ///< those of this worker

    // After route().
    std::vector<std::int64_t> wanted;    ///< rows from each worker, 0 from this one
    std::vector<std::int32_t> order;     ///< position of each row of others, then of each own one
    std::vector<std::int32_t> places;    ///< row of each position
    std::vector<std::int32_t> hotIds;    ///< number of each hot row
    std::vector<std::int32_t> hotPlaces; ///< its position

    // After answer(), of each of its blocks.
    std::vector<std::vector<std::int32_t>> ids;     ///< rows of the block, by worker and sample
    std::vector<std::vector<std::int64_t>> counts;  ///< of them, by worker
    std::vector<std::vector<std::int32_t>> sources; ///< their places among what the workers send
    std::vector<std::int64_t> askedOf;              ///< rows for each worker, 0 for this one

private:
    std::size_t positionOf(std::size_t sample, std::size_t table) const
    {
        return sample * std::size_t(vectors) + 1 + table;
    }
    bool hot(std::size_t table, std::int32_t row) const
    {
        return at.hot && at.hot->find(table, row) >= 0;
    }
    void routeTo(std::span<const std::int32_t> ids, int worker);
    void routeHot(std::span<const std::int32_t> ids);
    void requireAll(std::span<const std::int32_t> ids) const;

    std::int64_t others_ = 0, asked_ = 0;
};

} // namespace scalebench::autograd
