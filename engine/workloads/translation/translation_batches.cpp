// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/translation/translation_batches.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace scalebench::workloads {
namespace {

void fillWith(const PairList& pairs, const std::vector<int64_t>& numbers, const BatchLayout& layout,
              Allocator& memory, Batch& batch)
{
    std::vector<PairView> views;
    views.reserve(numbers.size());
    for (const int64_t number : numbers)
        views.push_back(pairs[number]);
    batch.tensors.clear(); // their memory is used again
    layout(views, memory, batch);
    batch.samples = int64_t(numbers.size());
    batch.bytesRead = 0; // all was read before
}

} // namespace

TranslationTraining::TranslationTraining(const PairList& pairs, data::BucketSampler sampler,
                                         BatchLayout layout, Allocator& memory)
    : pairs_(pairs), sampler_(std::move(sampler)), layout_(std::move(layout)), memory_(memory)
{
}

int64_t TranslationTraining::batches(int64_t) const
{
    return sampler_.microBatchesPerEpoch();
}

void TranslationTraining::fill(int64_t epoch, int64_t index, Batch& batch) const
{
    fillWith(pairs_, sampler_.microBatch(epoch, index), layout_, memory_, batch);
}

TranslationEvaluation::TranslationEvaluation(const PairList& pairs, int64_t batchSize,
                                             data::WorkerSlice slice, BatchLayout layout,
                                             Allocator& memory)
    : pairs_(pairs), batchSize_(batchSize), layout_(std::move(layout)), memory_(memory)
{
    std::vector<int64_t> order(size_t(pairs.size()));
    std::iota(order.begin(), order.end(), int64_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](int64_t i) { return pairs[i].source.size(); });
    for (size_t i = size_t(slice.rank); i < order.size(); i += size_t(slice.workers))
        mine_.push_back(order[i]);
}

int64_t TranslationEvaluation::batches(int64_t) const
{
    return (int64_t(mine_.size()) + batchSize_ - 1) / batchSize_;
}

void TranslationEvaluation::fill(int64_t, int64_t index, Batch& batch) const
{
    const auto begin = mine_.begin() + std::ptrdiff_t(index * batchSize_);
    const auto left = std::min<int64_t>(batchSize_, mine_.end() - begin);
    std::vector<int64_t> numbers(begin, begin + std::ptrdiff_t(left));
    fillWith(pairs_, numbers, layout_, memory_, batch);
    batch.notes = std::move(numbers);
}

std::vector<int32_t> pairLengths(const PairList& pairs)
{
    std::vector<int32_t> lengths;
    for (int64_t i = 0; i < pairs.size(); ++i) {
        const PairView pair = pairs[i];
        lengths.push_back(int32_t(std::max(pair.source.size(), pair.target.size() + 1)));
    }
    return lengths;
}

std::vector<int32_t> targetTokens(const PairList& pairs)
{
    std::vector<int32_t> tokens;
    for (int64_t i = 0; i < pairs.size(); ++i)
        tokens.push_back(int32_t(pairs[i].target.size() + 1));
    return tokens;
}

} // namespace scalebench::workloads
