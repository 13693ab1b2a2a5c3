// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sampled_source.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace scalebench::data {

ShuffledSource::ShuffledSource(TrainSampler sampler, FillSamples fill)
    : sampler_(std::move(sampler)), fill_(std::move(fill))
{
}

int64_t ShuffledSource::batches(int64_t) const
{
    return sampler_.microBatchesPerEpoch();
}

void ShuffledSource::fill(int64_t epoch, int64_t index, Batch& batch) const
{
    const std::vector<int64_t> samples = sampler_.microBatch(epoch, index);
    fill_({samples, int64_t(samples.size()), epoch}, batch);
}

OrderedSource::OrderedSource(int64_t samples, int64_t batchSize, WorkerSlice slice,
                             FillSamples fill)
    : share_(evalShare(samples, slice)), batchSize_(batchSize), fill_(std::move(fill))
{
}

int64_t OrderedSource::batches(int64_t) const
{
    return (share_.last - share_.first + batchSize_ - 1) / batchSize_;
}

void OrderedSource::fill(int64_t epoch, int64_t index, Batch& batch) const
{
    const int64_t from = share_.first + index * batchSize_;
    const int64_t real = std::min(batchSize_, share_.last - from);
    std::vector<int64_t> samples(size_t(batchSize_), share_.first);
    std::iota(samples.begin(), samples.begin() + std::ptrdiff_t(real), from);
    fill_({samples, real, epoch}, batch);
}

} // namespace scalebench::data
