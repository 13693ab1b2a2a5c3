// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The two orders that most workloads want, over any function that makes a batch of given samples:
// shuffled anew in each epoch to train, one after the other to evaluate.

#include "engine/data/batch_source.h"
#include "engine/data/sampler.h"

#include <functional>
#include <span>

namespace scalebench::data {

/// Which samples a batch has. Samples behind the first `real` ones only fill the batch up, so that
/// all have one shape, and must not count.
struct SampleList {
    std::span<const int64_t> samples;
    int64_t real = 0;
    int64_t epoch = 0; ///< from 0, for augmentation
};
/// Makes the batch of a list; sets tensors, samples and bytesRead. Thread-safe.
using FillSamples = std::function<void(const SampleList& list, Batch& batch)>;

/// Slices of a shuffled order that is the same on every worker (TrainSampler).
class ShuffledSource final : public BatchSource
{
public:
    ShuffledSource(TrainSampler sampler, FillSamples fill);

    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    TrainSampler sampler_;
    FillSamples fill_;
};

/// This worker's share of an evaluation set, every sample once; the last batch is filled up.
class OrderedSource final : public BatchSource
{
public:
    OrderedSource(int64_t samples, int64_t batchSize, WorkerSlice slice, FillSamples fill);

    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    EvalShare share_;
    int64_t batchSize_;
    FillSamples fill_;
};

} // namespace scalebench::data
