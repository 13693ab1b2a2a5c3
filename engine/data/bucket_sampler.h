// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which samples of different length go where: the same order on every worker, batches by samples or
// by tokens, samples of about one length together.

#include "engine/data/sampler.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scalebench::data {

struct BucketOptions {
    int64_t globalBatch = 0; ///< in the unit of the weights
    int gradAccum = 1;
    uint64_t seed = 1;
    /// How many global batches of shuffled samples are sorted by length before they are cut apart
    /// (and shuffled again as batches): more make batches of more equal lengths, 1 leaves them as
    /// they were drawn, which is right for packed sequences.
    int64_t pool = 1;
};

/// Order of the training samples. `weights`: what each counts of the global batch (1, or its
/// tokens); a step's samples together weigh the global batch but for less than one sample, and are
/// the same ones for any number of workers. An epoch has floor(sum of weights / global batch)
/// steps; what is over is dropped, others in each epoch. The samples of a step are dealt to the
/// workers x micro-batches by length, so that each gets about as much.
class BucketSampler
{
public:
    /// Both spans by sample; they are copied. InvalidArgument (`batch`) where a step could leave a
    /// micro-batch without a sample, or an epoch has no step.
    BucketSampler(std::span<const int32_t> lengths, std::span<const int32_t> weights,
                  const BucketOptions& options, WorkerSlice slice);

    int64_t stepsPerEpoch() const { return steps_; }
    int64_t microBatchesPerEpoch() const { return steps_ * options_.gradAccum; }
    /// Samples of this worker's micro-batch `index` of an epoch, both from 0. Thread-safe.
    std::vector<int64_t> microBatch(int64_t epoch, int64_t index) const;

private:
    /// One epoch: the samples of step s are order[first[s]] ... order[first[s + 1]], longest first.
    struct Plan {
        std::vector<int64_t> order, first;
    };
    struct Plans;
    Plan planOf(int64_t epoch) const;
    int64_t batchAt(int64_t before) const;

    std::vector<int32_t> lengths_, weights_;
    BucketOptions options_;
    WorkerSlice slice_;
    int64_t steps_ = 0;
    std::shared_ptr<Plans> plans_; ///< of the last epochs asked for
};

} // namespace scalebench::data
