// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/detection/picture_sources.h"

#include "engine/data/epoch_orders.h"
#include "engine/data/hash_random.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace scalebench::workloads {
namespace {

constexpr size_t kClasses = 2; // wide or square, tall
constexpr uint64_t kBatchOrderKey = 77;

size_t classOf(const Extent& extent)
{
    return extent.height > extent.width ? 1 : 0;
}

Extent larger(const Extent& a, const Extent& b)
{
    return {std::max(a.height, b.height), std::max(a.width, b.width)};
}

} // namespace

GroupedTraining::GroupedTraining(const detection::AnnotatedSet& set, std::vector<int64_t> pictures,
                                 const PictureBatches& batches, const Options& options)
    : pictures_(std::move(pictures)),
      batches_(batches),
      options_(options),
      orders_(std::make_unique<data::EpochOrders>())
{
    for (const int64_t number : pictures_) {
        const detection::AnnotatedPicture& picture = set.pictures[size_t(number)];
        extents_.push_back(batches.options().sizing.scaled(picture.width, picture.height));
    }
}

GroupedTraining::~GroupedTraining() = default;

int64_t GroupedTraining::batches(int64_t) const
{
    return int64_t(pictures_.size()) / options_.globalBatch * options_.gradAccum;
}

/// Positions in pictures_, global batch after global batch.
std::vector<int64_t> GroupedTraining::orderOf(int64_t epoch) const
{
    const auto each = size_t(options_.globalBatch);
    std::array<std::vector<int64_t>, kClasses> classes;
    for (const int64_t i : data::shuffledOrder(int64_t(pictures_.size()), options_.seed, epoch))
        classes[classOf(extents_[size_t(i)])].push_back(i);
    std::vector<std::vector<int64_t>> steps;
    std::vector<int64_t> rest;
    const auto cut = [&](std::span<const int64_t> of) {
        size_t at = 0;
        for (; at + each <= of.size(); at += each)
            steps.emplace_back(of.begin() + std::ptrdiff_t(at),
                               of.begin() + std::ptrdiff_t(at + each));
        return of.subspan(at);
    };
    for (const std::vector<int64_t>& one : classes) {
        const auto left = cut(one);
        rest.insert(rest.end(), left.begin(), left.end());
    }
    cut(rest);
    data::HashRandom random({options_.seed, kBatchOrderKey, uint64_t(epoch)});
    for (size_t i = steps.size(); i > 1; --i)
        std::swap(steps[i - 1], steps[random.below(uint32_t(i))]);
    std::vector<int64_t> order;
    for (const std::vector<int64_t>& step : steps)
        order.insert(order.end(), step.begin(), step.end());
    return order;
}

void GroupedTraining::fill(int64_t epoch, int64_t index, Batch& batch) const
{
    const auto order = orders_->of(epoch, [&] { return orderOf(epoch); });
    const int64_t step = index / options_.gradAccum;
    Extent extent;
    for (int64_t i = step * options_.globalBatch; i < (step + 1) * options_.globalBatch; ++i)
        extent = larger(extent, extents_[size_t((*order)[size_t(i)])]);
    const auto [first, size] =
        data::microBatchRange(index, options_.globalBatch, options_.gradAccum, options_.slice);
    std::vector<int64_t> pictures;
    for (int64_t i = first; i < first + size; ++i)
        pictures.push_back(pictures_[size_t((*order)[size_t(i)])]);
    batches_.fill({pictures, size, epoch}, batches_.options().sizing.padded(extent), batch);
}

GroupedEvaluation::GroupedEvaluation(const detection::AnnotatedSet& set,
                                     const PictureBatches& batches, int64_t batchSize,
                                     data::WorkerSlice slice)
    : batches_(batches), batchSize_(batchSize), groups_(kClasses)
{
    const PictureSizing& sizing = batches.options().sizing;
    std::array<std::vector<int64_t>, kClasses> all;
    for (size_t i = 0; i < set.pictures.size(); ++i) {
        const Extent extent = sizing.scaled(set.pictures[i].width, set.pictures[i].height);
        const size_t group = classOf(extent);
        all[group].push_back(int64_t(i));
        groups_[group].extent = larger(groups_[group].extent, extent);
    }
    for (size_t g = 0; g < kClasses; ++g) {
        const auto [first, last] = data::evalShare(int64_t(all[g].size()), slice);
        groups_[g].pictures.assign(all[g].begin() + first, all[g].begin() + last);
        groups_[g].extent = sizing.padded(groups_[g].extent);
    }
}

int64_t GroupedEvaluation::batchesOf(const Group& group) const
{
    return (int64_t(group.pictures.size()) + batchSize_ - 1) / batchSize_;
}

int64_t GroupedEvaluation::batches(int64_t) const
{
    int64_t all = 0;
    for (const Group& group : groups_)
        all += batchesOf(group);
    return all;
}

void GroupedEvaluation::fill(int64_t epoch, int64_t index, Batch& batch) const
{
    const Group* group = groups_.data();
    while (index >= batchesOf(*group))
        index -= batchesOf(*group++);
    const auto& pictures = group->pictures;
    const int64_t first = index * batchSize_;
    const int64_t real = std::min(batchSize_, int64_t(pictures.size()) - first);
    std::vector<int64_t> chosen(size_t(batchSize_), pictures.front());
    std::copy_n(pictures.begin() + first, real, chosen.begin());
    batches_.fill({chosen, real, epoch}, group->extent, batch);
}

} // namespace scalebench::workloads
