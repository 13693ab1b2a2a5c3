// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Anchors of the last few sizes of pictures' rows.

#include "engine/detection/anchors.h"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace scalebench::detection {

class AnchorCache
{
public:
    explicit AnchorCache(AnchorConfig config) : config_(std::move(config)) {}

    const AnchorConfig& config() const { return config_; }
    /// [count,4], see makeAnchors(). Thread-safe.
    std::shared_ptr<const std::vector<float>> of(int height, int width)
    {
        const Size wanted{height, width};
        const std::lock_guard lock(mutex_);
        for (const auto& [size, anchors] : kept_)
            if (size == wanted)
                return anchors;
        kept_.emplace_front(wanted, std::make_shared<const std::vector<float>>(
                                        makeAnchors(config_, height, width)));
        if (kept_.size() > kMost)
            kept_.pop_back();
        return kept_.front().second;
    }

private:
    using Size = std::pair<int, int>;
    static constexpr std::size_t kMost = 8;

    AnchorConfig config_;
    std::mutex mutex_;
    std::list<std::pair<Size, std::shared_ptr<const std::vector<float>>>> kept_;
};

} // namespace scalebench::detection
