// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which pictures share a batch: wide ones with wide ones and tall ones with tall ones, so that
// little of a batch is filling. What a batch holds and how large it is depends on the seed, the
// epoch and its number alone: k workers see the pictures, in rows of the size, that one would.

#include "engine/workloads/detection/picture_batches.h"

#include <memory>
#include <vector>

namespace scalebench::workloads {

/// Training: global batches of one shape class, in shuffled order; what is left of both classes is
/// put together. An epoch has floor(pictures / global batch) steps.
class GroupedTraining final : public data::BatchSource
{
public:
    struct Options {
        int64_t globalBatch = 1;
        int gradAccum = 1;
        data::WorkerSlice slice;
        uint64_t seed = 0;
    };
    /// `pictures`: of the set, to train on; `batches` and the set outlive this.
    GroupedTraining(const detection::AnnotatedSet& set, std::vector<int64_t> pictures,
                    const PictureBatches& batches, const Options& options);
    ~GroupedTraining() override;

    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    std::vector<int64_t> orderOf(int64_t epoch) const;

    std::vector<int64_t> pictures_;
    std::vector<Extent> extents_; ///< scaled, by position in pictures_
    const PictureBatches& batches_;
    Options options_;
    std::unique_ptr<data::EpochOrders> orders_;
};

/// Evaluation: this worker's share of every class, each picture once; the last batch of a class is
/// filled up. All batches of a class have one size, that of its largest picture.
class GroupedEvaluation final : public data::BatchSource
{
public:
    GroupedEvaluation(const detection::AnnotatedSet& set, const PictureBatches& batches,
                      int64_t batchSize, data::WorkerSlice slice);

    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    struct Group {
        std::vector<int64_t> pictures; ///< of this worker
        Extent extent;
    };
    int64_t batchesOf(const Group& group) const;

    const PictureBatches& batches_;
    int64_t batchSize_;
    std::vector<Group> groups_;
};

} // namespace scalebench::workloads
