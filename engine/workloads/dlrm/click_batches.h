// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches of clicks as DLRM takes them: logarithms of counts, rows of tables, labels.

#include "engine/data/batch_source.h"
#include "engine/data/epoch_shuffle.h"
#include "engine/data/sampler.h"
#include "engine/tensor/batch.h"
#include "engine/workloads/dlrm/clicks.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench::workloads {

/// Which row of which table a category is.
struct TableSizes {
    std::vector<int64_t> rows; ///< of each table
    /// Ids of binary logs are divided by it and the rest is taken; 0: they are taken as they are.
    int64_t cap = 0;
};

/// Makes one batch of rows: counts F32 [B,13], ln(1 + max(count, 0)), 0 where there is none; ids
/// I32 [26,B]: a text's hash falls on row 1 ... rows - 1, and one that is missing on row 0; labels
/// F32 [B].
class ClickFiller
{
public:
    /// All outlive this.
    ClickFiller(const ClickLog& log, const TableSizes& sizes, Allocator& memory)
        : log_(log), hashed_(log.hashed()), sizes_(sizes), memory_(memory)
    {
    }
    /// Reads rows that follow each other at once. Thread-safe. InvalidArgument (`data_damaged`):
    /// what reading says, and ids above their table.
    void fill(std::span<const int64_t> rows, Batch& batch) const;

private:
    int32_t idOf(const Click& click, size_t table, int64_t row) const;

    const ClickLog& log_;
    bool hashed_;
    const TableSizes& sizes_;
    Allocator& memory_;
};

/// Order of an epoch: blocks of rows that follow each other, shuffled, the same on every worker.
/// Blocks of one row are a full shuffle; long ones make few reads of a log that is larger than the
/// memory and should be shuffled already. The rows behind the last whole block come last.
class BlockShuffle
{
public:
    BlockShuffle(int64_t rows, int64_t block, uint64_t seed, int64_t epoch);
    int64_t operator()(int64_t position) const;

private:
    int64_t block_, blocked_;
    data::EpochShuffle order_;
};

/// This worker's slices of the global batches of an epoch.
class ClickBatches final : public data::BatchSource
{
public:
    struct Sizes {
        int64_t rows = 0, block = 1, globalBatch = 0;
        int accumulate = 1;
        uint64_t seed = 0;
    };
    ClickBatches(const ClickFiller& filler, const Sizes& sizes, data::WorkerSlice slice)
        : filler_(filler), sizes_(sizes), slice_(slice)
    {
    }
    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    ClickFiller filler_;
    Sizes sizes_;
    data::WorkerSlice slice_;
};

/// This worker's share of the evaluation rows, every row once. All workers have the same number of
/// batches of one size, as those with owned tables go through them together: what is missing is
/// filled up. The notes of a batch say how many of its rows count (int64_t).
class ClickEvaluation final : public data::BatchSource
{
public:
    ClickEvaluation(const ClickFiller& filler, int64_t rows, int64_t batchSize,
                    data::WorkerSlice slice);
    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    ClickFiller filler_;
    int64_t batchSize_, mostRows_; ///< of any worker
    data::EvalShare share_;
};

} // namespace scalebench::workloads
