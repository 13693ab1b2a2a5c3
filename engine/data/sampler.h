// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which samples go where: the same shuffle on every worker, disjoint slices of every global batch.

#include <cstdint>
#include <memory>
#include <vector>

namespace scalebench::data {

class EpochOrders;

/// This worker's place among all.
struct WorkerSlice {
    int rank = 0;
    int workers = 1;
};

/// Positions first ... first + size - 1 of an epoch's order.
struct MicroBatchRange {
    int64_t first = 0;
    int64_t size = 0;
};
/// What a worker takes of an epoch's order for its micro-batch `index`: worker r of k has
/// [r*B/k, (r+1)*B/k) of every global batch of B, in gradAccum parts.
MicroBatchRange microBatchRange(int64_t index, int64_t globalBatch, int gradAccum,
                                WorkerSlice slice);

/// Order of the training samples. A global batch is the same set of samples for any number of
/// workers (microBatchRange). The last, incomplete global batch
/// of an epoch is dropped (other samples each epoch, since each epoch is shuffled anew).
class TrainSampler
{
public:
    /// globalBatch must be divisible by workers * gradAccum; checked by the run's configuration.
    TrainSampler(int64_t samples, int64_t globalBatch, int gradAccum, WorkerSlice slice,
                 uint64_t seed);

    int64_t stepsPerEpoch() const { return samples_ / globalBatch_; }
    int64_t droppedPerEpoch() const { return samples_ % globalBatch_; }
    int64_t microBatchSize() const { return globalBatch_ / (slice_.workers * gradAccum_); }
    /// Micro-batches this worker does per epoch.
    int64_t microBatchesPerEpoch() const { return stepsPerEpoch() * gradAccum_; }

    /// Samples of this worker's micro-batch `index` of an epoch, both from 0. Thread-safe.
    std::vector<int64_t> microBatch(int64_t epoch, int64_t index) const;

private:
    int64_t samples_;
    int64_t globalBatch_;
    int gradAccum_;
    WorkerSlice slice_;
    uint64_t seed_;
    std::shared_ptr<EpochOrders> orders_;
};

/// Evaluation: worker r of k takes samples [n*r/k, n*(r+1)/k): every sample exactly once.
struct EvalShare {
    int64_t first = 0;
    int64_t last = 0; ///< one past the end
};
EvalShare evalShare(int64_t samples, WorkerSlice slice);

/// Fisher-Yates shuffle of 0..n-1, a pure function of seed and epoch on every platform.
std::vector<int64_t> shuffledOrder(int64_t n, uint64_t seed, int64_t epoch);

} // namespace scalebench::data
