// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Anchors of the last few sizes of rows, for the threads that fill batches.

#include "engine/detection/anchors.h"
#include "engine/workloads/detection/picture_batches.h"

#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace scalebench::workloads {

class AnchorCache
{
public:
    explicit AnchorCache(detection::AnchorConfig config) : config_(std::move(config)) {}

    const detection::AnchorConfig& config() const { return config_; }
    /// [count,4], see detection::makeAnchors(). Thread-safe.
    std::shared_ptr<const std::vector<float>> of(const Extent& extent)
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [size, anchors] : kept_)
            if (size == extent)
                return anchors;
        kept_.emplace_front(extent,
                            std::make_shared<const std::vector<float>>(
                                detection::makeAnchors(config_, extent.height, extent.width)));
        if (kept_.size() > kMost)
            kept_.pop_back();
        return kept_.front().second;
    }

private:
    static constexpr size_t kMost = 8;

    detection::AnchorConfig config_;
    std::mutex mutex_;
    std::list<std::pair<Extent, std::shared_ptr<const std::vector<float>>>> kept_;
};

} // namespace scalebench::workloads
