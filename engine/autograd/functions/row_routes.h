// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ways of the rows of one batch: which worker sends which to whom, in which order. A row of a
// block travels once, however often the batch names it (of Criteo's clicks most do so again and
// again), and so does the sum of its gradients. Rows come to lie by worker, then by block, then as
// the batch first names them: those of the other workers, this worker's own. Behind them lie those
// of hot rows, one for each place that names one, and one of each sample that comes from no table.
// "Position" is sample * vectors + vector: that one, then those of the tables. Knows no tensors and
// sends nothing.

#include "engine/autograd/functions/table_places.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scalebench::autograd {

struct RowRoutes {
    /// `places` must outlive it.
    RowRoutes(const TablePlaces& places, std::int64_t tables, std::int64_t samples);

    /// What this worker asks, and will get, for ids [tables,samples]. InvalidArgument for an id
    /// outside its table.
    void route(std::span<const std::int32_t> ids);
    /// What it will give, from the questions of all workers, each [blocks of this one, samples].
    /// InvalidArgument for a row that it does not have.
    void answer(std::span<const std::int32_t> questions);

    /// Rows of others and of this worker's own blocks that its batch names.
    std::int64_t others() const noexcept { return others_; }
    std::int64_t own() const noexcept { return rows_ - others_; }
    /// Rows of its blocks that the workers' batches name, of each batch for itself.
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
    /// For each worker, of each of its blocks: its rows that this worker wants, then -1 up to
    /// `samples`.
    std::vector<std::int32_t> questions;
    std::vector<std::int64_t> wanted;    ///< rows from each worker, 0 from this one
    std::vector<std::int32_t> positions; ///< all that name a row of others or an own one
    std::vector<std::int32_t> named;     ///< which of them, for each of these positions
    std::vector<std::int32_t> places;    ///< of each position among all that comes to lie
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

    std::int64_t rows_ = 0, others_ = 0, asked_ = 0;
};

} // namespace scalebench::autograd
