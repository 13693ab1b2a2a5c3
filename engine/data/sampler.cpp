// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sampler.h"

#include "engine/data/epoch_orders.h"
#include "engine/data/hash_random.h"
#include "kernels/check.h"

#include <numeric>
#include <utility>

namespace scalebench::data {

std::vector<int64_t> shuffledOrder(int64_t n, uint64_t seed, int64_t epoch)
{
    std::vector<int64_t> order(static_cast<size_t>(n));
    std::iota(order.begin(), order.end(), int64_t{0});
    HashRandom random({seed, 31, uint64_t(epoch)});
    for (int64_t i = n - 1; i > 0; --i)
        std::swap(order[size_t(i)], order[random.below(uint32_t(i + 1))]);
    return order;
}

MicroBatchRange microBatchRange(int64_t index, int64_t globalBatch, int gradAccum,
                                WorkerSlice slice)
{
    const int64_t local = globalBatch / slice.workers, size = local / gradAccum;
    const int64_t step = index / gradAccum, micro = index % gradAccum;
    return {step * globalBatch + slice.rank * local + micro * size, size};
}

TrainSampler::TrainSampler(int64_t samples, int64_t globalBatch, int gradAccum, WorkerSlice slice,
                           uint64_t seed)
    : samples_(samples),
      globalBatch_(globalBatch),
      gradAccum_(gradAccum),
      slice_(slice),
      seed_(seed),
      orders_(std::make_shared<EpochOrders>())
{
    SB_REQUIRE(
        globalBatch > 0 && gradAccum > 0 && slice.workers > 0 &&
            globalBatch % (int64_t{slice.workers} * gradAccum) == 0,
        "TrainSampler: the global batch must divide evenly over workers and accumulation steps");
}

std::vector<int64_t> TrainSampler::microBatch(int64_t epoch, int64_t index) const
{
    const auto order = orders_->of(epoch, [&] { return shuffledOrder(samples_, seed_, epoch); });
    const auto [first, size] = microBatchRange(index, globalBatch_, gradAccum_, slice_);
    return {order->begin() + first, order->begin() + first + size};
}

EvalShare evalShare(int64_t samples, WorkerSlice slice)
{
    return {samples * slice.rank / slice.workers, samples * (slice.rank + 1) / slice.workers};
}

} // namespace scalebench::data
