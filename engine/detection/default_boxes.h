// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SSD's default boxes (Liu et al. 2015, arXiv 1512.02325, section 2.2, with the sizes that MLPerf's
// SSD300 uses), and the training targets of a picture relative to them.

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench::detection {

struct DefaultBoxConfig {
    int imageSize = 300;
    std::vector<int> maps;      ///< edge of each feature map
    std::vector<double> steps;  ///< pixels between neighbouring centres of each map
    std::vector<double> scales; ///< edge of the square box of each map in pixels, and one more
    std::vector<std::vector<double>> ratios; ///< further aspect ratios of each map, with inverses

    int perPlace(size_t map) const { return 2 + 2 * int(ratios.at(map).size()); }
    int64_t count() const;
};

/// Corners [count, 4] (x1, y1, x2, y2) in units of the picture's edge, in the order in which the
/// heads give them: map, row, column, box of the place. A map's boxes: its square, the square
/// between its scale and the next, then each ratio and its inverse. Centres and sizes are cut to
/// [0,1], corners are not.
std::vector<float> makeDefaultBoxes(const DefaultBoxConfig& config);

/// True boxes [n,4] as corners in units of the picture, with their categories from 0.
struct TrueBoxes {
    std::vector<float> corners;
    std::vector<int32_t> categories;
};

/// What the boxes of a picture ask of the default boxes [count, 4]: labels [count], 0 background,
/// else category + 1; targets [count, 4], the coded true box of those with a label, else 0. A
/// default box is given the true box that it overlaps by half or more; each true box gets the
/// default box that overlaps it most. `overlapLeast`: that half.
void assignBoxes(std::span<const float> defaults, const TrueBoxes& boxes, float overlapLeast,
                 std::span<int32_t> labels, std::span<float> targets);

} // namespace scalebench::detection
