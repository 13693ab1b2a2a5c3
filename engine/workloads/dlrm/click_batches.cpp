// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/click_batches.h"

#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace scalebench::workloads {
namespace {

/// ln(1 + count), 0 of what is missing or below 0. Most counts are small: those are listed.
float logOf(int32_t count)
{
    static const auto listed = [] {
        std::array<float, 1024> logs;
        for (size_t i = 0; i < logs.size(); ++i)
            logs[i] = std::log1p(float(i));
        return logs;
    }();
    if (count < int32_t(listed.size()))
        return listed[size_t(std::max(count, 0))]; // kNoCount is negative
    return std::log1p(float(count));
}

} // namespace

int32_t ClickFiller::idOf(const Click& click, size_t table, int64_t row) const
{
    const uint32_t category = click.categories[table];
    const auto rows = uint32_t(sizes_.rows[table]);
    if (hashed_)
        return category == Click::kNoCategory || rows == 1 ? 0 : int32_t(1 + category % (rows - 1));
    const uint32_t id = sizes_.cap > 0 ? category % uint32_t(sizes_.cap) : category;
    if (id >= rows)
        throw InvalidArgument(log_.describe(row) + ": category " + std::to_string(table + 1) +
                                  " is " + std::to_string(int32_t(category)) +
                                  ", but its table has " + std::to_string(rows) +
                                  " rows (\"data.table_rows\")",
                              "data_damaged");
    return int32_t(id);
}

void ClickFiller::fill(std::span<const int64_t> rows, Batch& batch) const
{
    const auto n = int64_t(rows.size());
    batch.tensors.clear(); // their memory is used again
    batch.tensors = {Tensor::empty({n, kClickCounts}, DType::F32, memory_),
                     Tensor::empty({kClickCategories, n}, DType::I32, memory_),
                     Tensor::empty({n}, DType::F32, memory_)};
    batch.samples = n;
    batch.bytesRead = 0;
    const std::span<float> counts = batch.tensors[0].f32(), labels = batch.tensors[2].f32();
    const std::span<int32_t> ids = batch.tensors[1].i32();
    thread_local std::vector<Click> clicks;
    for (size_t i = 0; i < rows.size();) {
        size_t run = 1;
        while (i + run < rows.size() && rows[i + run] == rows[i] + int64_t(run))
            ++run;
        clicks.resize(run);
        batch.bytesRead += log_.read(rows[i], clicks);
        for (size_t k = 0; k < run; ++k, ++i) {
            const Click& click = clicks[k];
            for (size_t c = 0; c < kClickCounts; ++c)
                counts[i * kClickCounts + c] = logOf(click.counts[c]);
            for (size_t t = 0; t < kClickCategories; ++t)
                ids[t * size_t(n) + i] = idOf(click, t, rows[i]);
            labels[i] = float(click.label);
        }
    }
}

BlockShuffle::BlockShuffle(int64_t rows, int64_t block, uint64_t seed, int64_t epoch)
    : block_(std::min(block, rows)),
      blocked_(rows / block_ * block_),
      order_(rows / block_, seed, epoch)
{
}

int64_t BlockShuffle::operator()(int64_t position) const
{
    return position < blocked_ ? order_(position / block_) * block_ + position % block_ : position;
}

int64_t ClickBatches::batches(int64_t) const
{
    return sizes_.rows / sizes_.globalBatch * sizes_.accumulate;
}

void ClickBatches::fill(int64_t epoch, int64_t index, Batch& batch) const
{
    const auto [first, size] =
        data::microBatchRange(index, sizes_.globalBatch, sizes_.accumulate, slice_);
    const BlockShuffle order(sizes_.rows, sizes_.block, sizes_.seed, epoch);
    thread_local std::vector<int64_t> rows;
    rows.resize(size_t(size));
    for (int64_t i = 0; i < size; ++i)
        rows[size_t(i)] = order(first + i);
    filler_.fill(rows, batch);
}

ClickEvaluation::ClickEvaluation(const ClickFiller& filler, int64_t rows, int64_t batchSize,
                                 data::WorkerSlice slice)
    : filler_(filler),
      mostRows_((rows + slice.workers - 1) / slice.workers),
      share_(data::evalShare(rows, slice))
{
    batchSize_ = std::min(batchSize, mostRows_);
}

int64_t ClickEvaluation::batches(int64_t) const
{
    return (mostRows_ + batchSize_ - 1) / batchSize_;
}

void ClickEvaluation::fill(int64_t, int64_t index, Batch& batch) const
{
    const int64_t first = share_.first + index * batchSize_;
    thread_local std::vector<int64_t> rows;
    rows.resize(size_t(batchSize_));
    // A worker without any row repeats the one before its share: it only has to take part.
    const int64_t last = std::max(share_.last - 1, int64_t{0});
    for (int64_t i = 0; i < batchSize_; ++i)
        rows[size_t(i)] = std::min(first + i, last);
    filler_.fill(rows, batch);
    batch.notes = std::clamp<int64_t>(share_.last - first, 0, batchSize_);
}

} // namespace scalebench::workloads
