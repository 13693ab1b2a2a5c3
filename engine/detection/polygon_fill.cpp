// SPDX-License-Identifier: GPL-3.0-or-later
// Polygons to masks, pixel for pixel as pycocotools rounds them, because the areas of COCO's masks
// and their overlaps are defined by it.
#include "engine/detection/run_length_mask.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace scalebench::detection {
namespace {

constexpr int kFiner = 5; ///< steps of the outline's grid per pixel

struct GridPoint {
    int64_t x, y;
};

/// Corners beyond this many pixels from the picture are drawn in to it: they only make the walk
/// long, and a file must not be able to ask for a walk without end.
constexpr double kFarthestCorner = 1 << 14;

/// To the next whole number, but towards zero from a negative half on, as pycocotools does.
int64_t rounded(double v)
{
    return int64_t(v + 0.5); // NOLINT(bugprone-incorrect-roundings)
}

GridPoint onGrid(double x, double y)
{
    const auto grid = [](double v) {
        return rounded(kFiner * std::clamp(v, -kFarthestCorner, 2 * kFarthestCorner));
    };
    return {grid(x), grid(y)};
}

/// Visits the grid points from a to b, both included. Lines are stepped along their longer axis
/// from the smaller end, so that an edge has the same points whichever way it is walked.
template <typename Visit>
void walkLine(GridPoint a, GridPoint b, Visit visit)
{
    const int64_t dx = std::abs(b.x - a.x), dy = std::abs(b.y - a.y);
    const bool alongX = dx >= dy;
    const bool backwards = alongX ? a.x > b.x : a.y > b.y;
    if (backwards)
        std::swap(a, b);
    const int64_t steps = std::max(dx, dy);
    const double slope = steps == 0 ? 0 : double(alongX ? b.y - a.y : b.x - a.x) / double(steps);
    for (int64_t i = 0; i <= steps; ++i) {
        const int64_t t = backwards ? steps - i : i;
        if (alongX)
            visit(GridPoint{a.x + t, rounded(double(a.y) + slope * double(t))});
        else
            visit(GridPoint{rounded(double(a.x) + slope * double(t)), a.y + t});
    }
}

/// Where in column order the mask changes because the outline steps from `from` to `to`; -1 where
/// the step crosses no column's middle inside the picture.
int64_t crossing(const GridPoint& from, const GridPoint& to, int width, int height)
{
    if (from.x == to.x)
        return -1;
    const double x = (double(to.x < from.x ? to.x : to.x - 1) + 0.5) / kFiner - 0.5;
    if (std::floor(x) != x || x < 0 || x > double(width - 1))
        return -1;
    const double y = (double(std::min(to.y, from.y)) + 0.5) / kFiner - 0.5;
    return int64_t(x) * height + int64_t(std::ceil(std::clamp(y, 0.0, double(height))));
}

} // namespace

RunLengthMask fillPolygon(std::span<const double> outline, int width, int height)
{
    SB_REQUIRE(width > 0 && height > 0 && outline.size() >= 6 && outline.size() % 2 == 0,
               "a polygon needs three points and a picture");
    std::vector<int64_t> changes;
    bool first = true;
    GridPoint last{};
    const size_t corners = outline.size() / 2;
    for (size_t i = 0; i < corners; ++i) {
        const size_t next = (i + 1) % corners;
        walkLine(onGrid(outline[2 * i], outline[2 * i + 1]),
                 onGrid(outline[2 * next], outline[2 * next + 1]), [&](GridPoint point) {
                     const int64_t at = first ? -1 : crossing(last, point, width, height);
                     if (at >= 0)
                         changes.push_back(at);
                     last = point;
                     first = false;
                 });
    }
    std::ranges::sort(changes);
    // Two changes at one place undo each other.
    RunLengthMask mask{width, height, {}};
    const int64_t pixels = int64_t{width} * height;
    int64_t done = 0;
    for (size_t i = 0; i < changes.size();) {
        size_t same = i;
        while (same < changes.size() && changes[same] == changes[i])
            ++same;
        if ((same - i) % 2 == 1 && changes[i] < pixels) {
            mask.runs.push_back(uint32_t(changes[i] - done));
            done = changes[i];
        }
        i = same;
    }
    mask.runs.push_back(uint32_t(pixels - done));
    return mask;
}

} // namespace scalebench::detection
