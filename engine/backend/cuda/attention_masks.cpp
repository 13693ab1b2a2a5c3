// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/attention_masks.h"

#include <algorithm>

namespace scalebench::cuda_backend {
namespace {

constexpr std::size_t kMasksKept = 32;

bool equal(const std::vector<AttentionSegment>& a, const std::vector<AttentionSegment>& b)
{
    return std::ranges::equal(a, b, [](const AttentionSegment& x, const AttentionSegment& y) {
        return x.queryBegin == y.queryBegin && x.queryCount == y.queryCount &&
               x.keyBegin == y.keyBegin && x.keyCount == y.keyCount;
    });
}

bool capturing(cudaStream_t stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status != cudaStreamCaptureStatusNone;
}

} // namespace

const kernels::cuda::SegmentList& AttentionMasks::onDevice(const AttentionMask& mask)
{
    auto found = std::ranges::find(masks_, mask, &DeviceMask::mask);
    if (found == masks_.end())
        found = std::ranges::find_if(masks_,
                                     [&](const DeviceMask& m) { return equal(*m.mask, *mask); });
    if (found == masks_.end()) {
        DeviceMask entry{mask, context_.makeTable(std::span<const AttentionSegment>(*mask)), {}};
        entry.list.segments = static_cast<const AttentionSegment*>(entry.segments.data());
        entry.list.count = std::int64_t(mask->size());
        for (const AttentionSegment& s : *mask) {
            entry.list.queries += s.queryCount, entry.list.keys += s.keyCount;
            entry.list.maxQueries = std::max(entry.list.maxQueries, s.queryCount);
            entry.list.maxKeys = std::max(entry.list.maxKeys, s.keyCount);
        }
        const auto idle = [](const DeviceMask& m) { return !m.captured; };
        if (std::size_t(std::ranges::count_if(masks_, idle)) >= kMasksKept)
            masks_.erase(std::prev(std::find_if(masks_.rbegin(), masks_.rend(), idle).base()));
        found = masks_.insert(masks_.begin(), std::move(entry));
    }
    masks_.splice(masks_.begin(), masks_, found);
    found->captured |= capturing(context_.stream());
    return found->list;
}

} // namespace scalebench::cuda_backend
