// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Anchors of detectors on feature pyramids (Ren et al. 2015, arXiv 1506.01497), as torchvision's
// AnchorGenerator makes them.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scalebench::detection {

struct AnchorLevel {
    int stride = 0;            ///< pixels between neighbouring places
    std::vector<double> sizes; ///< square roots of the areas
};

struct AnchorConfig {
    std::vector<AnchorLevel> levels;          ///< finest first
    std::vector<double> ratios = {0.5, 1, 2}; ///< height over width

    int perPlace(std::size_t level) const
    {
        return int(levels.at(level).sizes.size() * ratios.size());
    }
};

/// Places of a level in a picture of that many pixels: pixels / stride, rounded up.
int64_t anchorPlaces(int pixels, int stride);
/// Of each level, and of all.
std::vector<int64_t> anchorCounts(const AnchorConfig& config, int height, int width);
/// Corners [count,4] in pixels of a picture of height x width, in the order of the heads' outputs:
/// level, row, column, ratio, size. Centres are multiples of the stride, half sizes are rounded.
std::vector<float> makeAnchors(const AnchorConfig& config, int height, int width);

} // namespace scalebench::detection
