// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/anchors.h"

#include "kernels/check.h"

#include <array>
#include <cmath>

namespace scalebench::detection {
namespace {

/// Around (0, 0). Half sizes are rounded to even on ties, as torch.round does.
std::vector<std::array<float, 4>> anchorsOfAPlace(const AnchorLevel& level,
                                                  const std::vector<double>& ratios)
{
    std::vector<std::array<float, 4>> all;
    for (const double ratio : ratios)
        for (const double size : level.sizes) {
            const auto tall = float(std::sqrt(ratio));
            const float width = 1.0f / tall * float(size), height = tall * float(size);
            const float x = std::nearbyint(width / 2), y = std::nearbyint(height / 2);
            all.push_back({-x, -y, x, y});
        }
    return all;
}

} // namespace

int64_t anchorPlaces(int pixels, int stride)
{
    return (int64_t{pixels} + stride - 1) / stride;
}

std::vector<int64_t> anchorCounts(const AnchorConfig& config, int height, int width)
{
    std::vector<int64_t> counts;
    for (std::size_t l = 0; l < config.levels.size(); ++l) {
        const int stride = config.levels[l].stride;
        counts.push_back(anchorPlaces(height, stride) * anchorPlaces(width, stride) *
                         config.perPlace(l));
    }
    return counts;
}

std::vector<float> makeAnchors(const AnchorConfig& config, int height, int width)
{
    std::vector<float> corners;
    for (const AnchorLevel& level : config.levels) {
        SB_REQUIRE(level.stride > 0, "anchors need a stride above 0");
        const auto place = anchorsOfAPlace(level, config.ratios);
        const int64_t rows = anchorPlaces(height, level.stride);
        const int64_t columns = anchorPlaces(width, level.stride);
        for (int64_t row = 0; row < rows; ++row)
            for (int64_t column = 0; column < columns; ++column)
                for (const auto& anchor : place)
                    for (std::size_t side = 0; side < 4; ++side)
                        corners.push_back(anchor[side] +
                                          float((side % 2 == 0 ? column : row) * level.stride));
    }
    return corners;
}

} // namespace scalebench::detection
