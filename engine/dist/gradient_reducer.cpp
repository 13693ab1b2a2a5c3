// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/gradient_reducer.h"

#include "engine/dist/comm_error.h"
#include "kernels/check.h"

#include <algorithm>
#include <chrono>

namespace scalebench::dist {
namespace {

// The tail: loss, correct, samples, stop, failed, ready, then one flag per worker that saw NaN.
enum TailField : size_t { kLoss, kCorrect, kSamples, kStop, kFailed, kReady, kFirstFlag };

class Stopwatch
{
public:
    explicit Stopwatch(double& total) : total_(total) {}
    ~Stopwatch()
    {
        total_ +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
                .count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& total_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

GradientReducer::GradientReducer(Communicator& communicator, size_t floats,
                                 const ReducerOptions& options)
    : communicator_(communicator),
      floats_(floats),
      tailFloats_(kFirstFlag + size_t(communicator.size())),
      bucketFloats_(std::max<size_t>(1024, size_t(options.bucketMb * 1024 * 1024 / sizeof(float)))),
      arena_(options.makeArena ? options.makeArena(floats)
                               : communicator.makeArena(floats + tailFloats_, options.allReduce)),
      overlap_(options.overlap)
{
    if (options.shard)
        shards_ = usefulShards();
    if (options.overlap && communicator.size() > 1 && !arena_->onDevice())
        thread_.emplace();
}

void GradientReducer::markReady(size_t offset, size_t count)
{
    if (count == 0)
        return;
    waiting_[offset] = count;
    for (auto it = waiting_.find(front_); it != waiting_.end(); it = waiting_.find(front_)) {
        front_ += it->second;
        waiting_.erase(it);
    }
    // The last bucket waits for finish(), which adds the tail.
    if (front_ - sent_ >= bucketFloats_ && front_ < floats_) {
        send(sent_, front_ - sent_, sharded());
        sent_ = front_;
    }
}

StepTail GradientReducer::finish(const StepTail& mine)
{
    if (front_ != floats_ || !waiting_.empty()) {
        // Padding between parameters may never be announced; anything else is a mistake of ours,
        // but summing it is harmless.
        front_ = floats_;
        waiting_.clear();
    }
    if (arena_->onDevice()) {
        flush();
        return exchangeTail(mine);
    }
    const std::span<float> tail = arena_->local().subspan(floats_, tailFloats_);
    std::ranges::copy(tailOf(mine), tail.begin());
    if (sharded()) {
        send(sent_, floats_ - sent_, true);
        sent_ = floats_; // the tail is for all
    }
    send(sent_, floats_ + tailFloats_ - sent_, false);
    if (thread_) {
        const Stopwatch watch(exposedMs_);
        thread_->wait();
    }
    lastBuckets_ = std::exchange(buckets_, 0);
    sent_ = front_ = 0;
    return sumOf(tail);
}

void GradientReducer::flush()
{
    waiting_.clear();
    send(sent_, floats_ - sent_, sharded());
    arena_->join();
    lastBuckets_ = std::exchange(buckets_, 0);
    sent_ = front_ = 0;
}

void GradientReducer::startAgain()
{
    SB_REQUIRE(arena_->onDevice(), "startAgain: buckets of the host are on their way");
    waiting_.clear();
    sent_ = front_ = 0;
    buckets_ = 0;
}

/// The tail stays on the host: its few numbers are wanted there at once.
StepTail GradientReducer::exchangeTail(const StepTail& mine)
{
    std::vector<float> tail = tailOf(mine);
    {
        const Stopwatch watch(exposedMs_);
        communicator_.allReduceSum(std::span<float>(tail));
    }
    exposedMs_ += arena_->takeExposedMs();
    return sumOf(tail);
}

std::vector<float> GradientReducer::tailOf(const StepTail& mine) const
{
    std::vector<float> tail(tailFloats_, 0.0f);
    tail[kLoss] = mine.nonFinite ? 0.0f : float(mine.lossSum);
    tail[kCorrect] = float(mine.correct);
    tail[kSamples] = float(mine.samples);
    tail[kStop] = mine.stop ? 1.0f : 0.0f;
    tail[kFailed] = mine.failed ? 1.0f : 0.0f;
    tail[kReady] = float(mine.ready);
    tail[kFirstFlag + size_t(communicator_.rank())] = mine.nonFinite ? 1.0f : 0.0f;
    return tail;
}

StepTail GradientReducer::sumOf(std::span<const float> tail) const
{
    StepTail sum;
    sum.lossSum = tail[kLoss];
    sum.correct = int64_t(tail[kCorrect]);
    sum.samples = int64_t(tail[kSamples]);
    sum.stop = tail[kStop] > 0;
    sum.failed = tail[kFailed] > 0;
    sum.ready = int(tail[kReady]);
    for (int r = 0; r < communicator_.size() && sum.firstNonFinite < 0; ++r)
        if (tail[kFirstFlag + size_t(r)] > 0)
            sum.firstNonFinite = r;
    sum.nonFinite = sum.firstNonFinite >= 0;
    return sum;
}

void GradientReducer::send(size_t offset, size_t count, bool scatter)
{
    const Range range{offset, count, buckets_++, scatter};
    if (thread_) {
        thread_->add([this, range] { reduce(range); });
        return;
    }
    const Stopwatch watch(exposedMs_);
    reduce(range);
}

void GradientReducer::reduce(const Range& range)
{
    if (counters_.size() <= size_t(range.bucket))
        counters_.resize(size_t(range.bucket) + 1);
    BucketCounter& counter = counters_[size_t(range.bucket)];
    counter.bytes = int64_t(range.count * sizeof(float));
    ++counter.calls;
    const Stopwatch watch(counter.ms);
    if (range.scatter)
        arena_->reduceScatter(range.offset, range.count, shards_, range.bucket);
    else
        arena_->allReduce(range.offset, range.count, range.bucket);
    if (arena_->onDevice() && !overlap_)
        arena_->join();
}

ShardStarts GradientReducer::usefulShards() const
{
    ShardStarts shards = equalShards(floats_, communicator_.size());
    return communicator_.size() > 1 && shards[1] > 0 ? shards : ShardStarts();
}

std::span<float> GradientReducer::commonMemory()
{
    SB_REQUIRE(counters_.empty(), "commonMemory: gradients were already summed");
    const ShardStarts shards = usefulShards();
    if (shards.empty())
        return {};
    const std::span<float> memory = arena_->commonMemory(floats_);
    if (!memory.empty())
        shards_ = shards;
    return memory;
}

size_t GradientReducer::shardBegin() const
{
    return sharded() ? shards_[size_t(communicator_.rank())] : 0;
}

size_t GradientReducer::shardEnd() const
{
    return sharded() ? shards_[size_t(communicator_.rank()) + 1] : floats_;
}

void GradientReducer::gatherShards(std::span<float> values)
{
    if (!sharded())
        return;
    SB_REQUIRE(values.size() >= floats_, "gatherShards: fewer values than gradients");
    const Stopwatch watch(exposedMs_);
    arena_->allGather(values.first(floats_), shards_);
    arena_->join();
}

} // namespace scalebench::dist
