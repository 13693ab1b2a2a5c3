// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/bucket_sampler.h"

#include "engine/data/hash_random.h"
#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <string>

namespace scalebench::data {

/// Two, since the last batches of an epoch and the first of the next are filled at the same time.
struct BucketSampler::Plans {
    struct Kept {
        int64_t epoch = -1;
        std::shared_ptr<const Plan> plan;
    };
    std::mutex mutex;
    std::array<Kept, 2> kept;

    std::shared_ptr<const Plan> of(int64_t epoch, const BucketSampler& sampler)
    {
        const std::lock_guard lock(mutex);
        Kept& k = kept[size_t(epoch % 2)];
        if (k.epoch != epoch)
            k = {epoch, std::make_shared<Plan>(sampler.planOf(epoch))};
        return k.plan;
    }
};

BucketSampler::BucketSampler(std::span<const int32_t> lengths, std::span<const int32_t> weights,
                             const BucketOptions& options, WorkerSlice slice)
    : lengths_(lengths.begin(), lengths.end()),
      weights_(weights.begin(), weights.end()),
      options_(options),
      slice_(slice),
      plans_(std::make_shared<Plans>())
{
    SB_REQUIRE(lengths.size() == weights.size() && !weights.empty() && options.globalBatch > 0 &&
                   options.gradAccum > 0 && options.pool > 0 && slice.workers > 0,
               "BucketSampler: samples, a batch and a pool are needed");
    const int64_t total = std::accumulate(weights_.begin(), weights_.end(), int64_t{0});
    const int32_t heaviest = *std::ranges::max_element(weights_);
    SB_REQUIRE(*std::ranges::min_element(weights_) > 0, "BucketSampler: a sample weighs nothing");
    steps_ = total / options.globalBatch;
    if (steps_ == 0)
        throw InvalidArgument("an epoch of " + std::to_string(total) +
                                  " does not fill one global batch of " +
                                  std::to_string(options.globalBatch) + "; choose a smaller batch",
                              "batch");
    // A step holds the samples that begin in its stretch of globalBatch: at least so many.
    const int64_t fewest = heaviest == 1 ? options.globalBatch : options.globalBatch / heaviest;
    const int64_t parts = int64_t{slice.workers} * options.gradAccum;
    if (fewest < parts)
        throw InvalidArgument(
            "a global batch of " + std::to_string(options.globalBatch) + " tokens may hold only " +
                std::to_string(fewest) + " of the longest sentences (" + std::to_string(heaviest) +
                " tokens), which is not one for each of " + std::to_string(slice.workers) +
                " workers x " + std::to_string(options.gradAccum) +
                " accumulation steps; choose a larger batch",
            "batch");
}

/// Where a sample belongs that begins when `before` has been given out.
int64_t BucketSampler::batchAt(int64_t before) const
{
    return before / options_.globalBatch;
}

BucketSampler::Plan BucketSampler::planOf(int64_t epoch) const
{
    std::vector<int64_t> order = shuffledOrder(int64_t(weights_.size()), options_.seed, epoch);
    const auto longestFirst = [this](int64_t a, int64_t b) {
        return lengths_[size_t(a)] > lengths_[size_t(b)];
    };
    // What the last step does not need is dropped before sorting, or it would be the shortest.
    size_t used = 0;
    for (int64_t sum = 0; used < order.size() && batchAt(sum) < steps_; ++used)
        sum += weights_[size_t(order[used])];
    order.resize(used);
    std::vector<int64_t> firstOfBatch; // in `order`
    int64_t before = 0;
    for (size_t begin = 0; begin < order.size();) {
        const int64_t pool = batchAt(before) / options_.pool;
        size_t end = begin;
        for (int64_t at = before; end < order.size() && batchAt(at) / options_.pool == pool; ++end)
            at += weights_[size_t(order[end])];
        std::stable_sort(order.begin() + std::ptrdiff_t(begin), order.begin() + std::ptrdiff_t(end),
                         longestFirst);
        const int64_t lastBatch = std::min((pool + 1) * options_.pool, steps_) - 1;
        for (; begin < end; ++begin) {
            const int64_t batch = std::min(batchAt(before), lastBatch);
            while (int64_t(firstOfBatch.size()) <= batch)
                firstOfBatch.push_back(int64_t(begin));
            before += weights_[size_t(order[begin])];
        }
    }
    firstOfBatch.push_back(int64_t(order.size()));

    Plan plan;
    plan.order.reserve(order.size());
    plan.first.push_back(0);
    HashRandom random({options_.seed, 32, uint64_t(epoch)});
    std::vector<int64_t> steps(static_cast<size_t>(steps_));
    std::iota(steps.begin(), steps.end(), int64_t{0});
    for (size_t i = steps.size(); i-- > 1;)
        std::swap(steps[i], steps[random.below(uint32_t(i + 1))]);
    for (const int64_t step : steps) {
        plan.order.insert(plan.order.end(),
                          order.begin() + std::ptrdiff_t(firstOfBatch[size_t(step)]),
                          order.begin() + std::ptrdiff_t(firstOfBatch[size_t(step) + 1]));
        plan.first.push_back(int64_t(plan.order.size()));
    }
    return plan;
}

std::vector<int64_t> BucketSampler::microBatch(int64_t epoch, int64_t index) const
{
    const auto plan = plans_->of(epoch, *this);
    const int64_t step = index / options_.gradAccum, micro = index % options_.gradAccum;
    const int64_t parts = int64_t{slice_.workers} * options_.gradAccum;
    const int64_t mine = slice_.rank * int64_t{options_.gradAccum} + micro;
    const int64_t first = plan->first[size_t(step)];
    const int64_t count = plan->first[size_t(step) + 1] - first;
    std::vector<int64_t> samples;
    // There and back again, so that nobody always gets the longest of a round.
    for (int64_t round = 0; round * parts < count; ++round) {
        const int64_t at = round * parts + (round % 2 == 0 ? mine : parts - 1 - mine);
        if (at < count)
            samples.push_back(plan->order[size_t(first + at)]);
    }
    return samples;
}

} // namespace scalebench::data
