// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sums gradients over the workers in buckets while backward goes on, together with the few numbers
// that the workers must agree on after each step, so that no further collective is needed.

#include "engine/dist/communicator.h"
#include "engine/dist/side_thread.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace scalebench::dist {

struct ReducerOptions {
    double bucketMb = 4;  ///< a bucket is sent when it has grown to this size
    bool overlap = false; ///< a communication thread sends buckets while backward computes
    AllReduceKind allReduce = AllReduceKind::Auto;
    /// Sharded optimizer (ZeRO stage 1, arXiv 1910.02054): each worker gets the sums of its own
    /// equal shard of the gradient arena only, updates it, and gatherShards() spreads the new
    /// values. Without effect for one worker or an arena too small to share.
    bool shard = false;
    /// Makes the arena in place of the communicator's, for gradients in a device's memory. Buckets
    /// then always fly as the device can; `overlap` off makes each wait for its end.
    std::function<std::unique_ptr<ReductionArena>(size_t floats)> makeArena;
};

/// What one bucket of the arena cost so far.
struct BucketCounter {
    int64_t bytes = 0; ///< of one call
    int64_t calls = 0;
    double ms = 0; ///< inside the collective; exposed or not
};

/// What each worker adds to the last bucket of a step, and the sum of it.
struct StepTail {
    double lossSum = 0;      ///< summed as float; must be finite (else set nonFinite)
    int64_t correct = 0;     ///< exact below 2^24 in all
    int64_t samples = 0;     ///< likewise
    bool stop = false;       ///< a worker was asked to stop; true for all if true for one
    bool nonFinite = false;  ///< this worker saw NaN or infinity
    bool failed = false;     ///< this worker could not do the step; true for all if true for one
    int ready = 0;           ///< 1: this worker's background evaluation is done; result: how many
    int firstNonFinite = -1; ///< result only: lowest rank with nonFinite, or -1
};

/// Owns the gradient arena of this worker: `gradients()` is what a ParameterSet writes into.
/// Per step: markReady() for every range, in any order, each element once; then finish().
class GradientReducer
{
public:
    /// Collective. `floats`: size of the gradient arena.
    GradientReducer(Communicator& communicator, size_t floats, const ReducerOptions& options);
    GradientReducer(const GradientReducer&) = delete;
    GradientReducer& operator=(const GradientReducer&) = delete;

    std::span<float> gradients() { return arena_->local().first(floats_); }
    /// [offset, offset + count) holds this worker's final gradient of the step. Blocks while a
    /// bucket is reduced, unless `overlap`. Ranges reach the same buckets on every worker as long
    /// as they are announced in the same order.
    void markReady(size_t offset, size_t count);
    /// Reduces what is left and waits for everything; gradients() then holds sums over all workers,
    /// where sharded() only in [shardBegin(), shardEnd()).
    StepTail finish(const StepTail& mine);
    /// On a device, in two parts, of which the first may be recorded and replayed: sends what is
    /// left and puts all sums before what the backend does next.
    void flush();
    /// Forgets what was announced of this step: of a record that failed nothing was sent, and all
    /// buckets are still owed to the others. On a device only.
    void startAgain();
    /// After a replay, so that collectives in it that hang are seen.
    void noteReplay() { arena_->join(); }
    /// The rest: only the tail. After flush(), or after a replay of it.
    StepTail exchangeTail(const StepTail& mine);
    bool onDevice() const { return arena_->onDevice(); }

    /// This worker's part of the arena; everything unless sharded().
    size_t shardBegin() const;
    size_t shardEnd() const;
    bool sharded() const { return !shards_.empty(); }
    /// Collective, before the first step: memory for one copy of the values, which all workers have
    /// in common, or nothing (see ReductionArena::commonMemory()). If there is such memory, the
    /// reducer shards from here on whatever `shard` was: of what is one copy a worker can only
    /// update its part.
    std::span<float> commonMemory();
    /// Collective: every worker's shard of `values` (laid out as the gradients, perhaps longer)
    /// replaces the others' copies; of commonMemory() it only waits for all. Does nothing unless
    /// sharded().
    void gatherShards(std::span<float> values);

    /// Time spent waiting for communication since the last call of this function: what backward
    /// could not hide.
    double takeExposedMs() { return std::exchange(exposedMs_, 0.0); }
    const char* method() const { return arena_->method(); }
    /// Buckets sent in the last finished step.
    int bucketsPerStep() const { return lastBuckets_; }
    /// By number of the bucket in a step; the last one is the tail where sharded(). Between
    /// steps only.
    const std::vector<BucketCounter>& buckets() const { return counters_; }

private:
    struct Range {
        size_t offset, count;
        int bucket;
        bool scatter;
    };
    /// Empty where there is nobody to share with, or too little to share.
    ShardStarts usefulShards() const;
    std::vector<float> tailOf(const StepTail& mine) const;
    StepTail sumOf(std::span<const float> tail) const;
    void send(size_t offset, size_t count, bool scatter);
    void reduce(const Range& range);

    Communicator& communicator_;
    size_t floats_;
    size_t tailFloats_;
    size_t bucketFloats_;
    ShardStarts shards_; ///< empty: not sharded
    std::unique_ptr<ReductionArena> arena_;
    bool overlap_;
    std::map<size_t, size_t> waiting_; ///< ranges ahead of the front, by offset
    size_t front_ = 0;                 ///< everything before is ready
    size_t sent_ = 0;                  ///< everything before is sent
    int buckets_ = 0;
    int lastBuckets_ = 0;
    double exposedMs_ = 0;
    std::vector<BucketCounter> counters_; ///< written by whoever runs reduce()
    std::optional<SideThread> thread_;    ///< with overlap; last, as its work uses the others
};

} // namespace scalebench::dist
