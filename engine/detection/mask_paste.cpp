// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/mask_paste.h"

#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace scalebench::detection {
namespace {

/// The mask with a border of zeros: [size,size].
std::vector<float> bordered(std::span<const float> cells, int edge)
{
    const auto n = std::size_t(edge), size = n + 2;
    std::vector<float> out(size * size, 0.0f);
    for (std::size_t y = 0; y < n; ++y)
        std::ranges::copy(cells.subspan(y * n, n),
                          out.begin() + std::ptrdiff_t((y + 1) * size + 1));
    return out;
}

/// Pixels of one axis that the enlarged box covers, within the picture, and where each lies among
/// `size` cells (torch.nn.functional.interpolate, bilinear, align_corners false).
struct Axis {
    struct Place {
        std::size_t low, high;
        float highShare;
    };
    int64_t begin = 0;
    std::vector<Place> places;
};

Axis axisOf(float low, float high, int edge, int pixels)
{
    const int size = edge + 2;
    const float grow = float(size) / float(edge);
    const float half = (high - low) * 0.5f * grow, middle = (high + low) * 0.5f;
    Axis axis;
    // Far outside, where a whole number could not hold them, nothing is covered anyway.
    const float limit = float(1 << 24);
    if (!(std::abs(middle - half) < limit && std::abs(middle + half) < limit))
        return axis;
    const auto first = int64_t(middle - half), last = int64_t(middle + half);
    const int64_t covered = std::max<int64_t>(last - first + 1, 1);
    axis.begin = std::max<int64_t>(first, 0);
    const float step = float(size) / float(covered);
    for (int64_t i = axis.begin; i < std::min<int64_t>(last + 1, pixels); ++i) {
        const float at = std::max(0.0f, (float(i - first) + 0.5f) * step - 0.5f);
        const std::size_t cell = std::min(std::size_t(at), std::size_t(size - 1));
        axis.places.push_back({cell, std::min(cell + 1, std::size_t(size - 1)), at - float(cell)});
    }
    return axis;
}

} // namespace

RunLengthMask pasteMask(std::span<const float> probabilities, int edge, const float (&corners)[4],
                        int width, int height, float threshold)
{
    SB_REQUIRE(edge > 0 && probabilities.size() == std::size_t(edge) * std::size_t(edge) &&
                   width > 0 && height > 0,
               "a mask to be pasted must be square, and the picture must have pixels");
    const std::vector<float> cells = bordered(probabilities, edge);
    const auto size = std::size_t(edge) + 2;
    const Axis columns = axisOf(corners[0], corners[2], edge, width);
    const Axis rows = axisOf(corners[1], corners[3], edge, height);
    std::vector<uint8_t> pixels(std::size_t(width) * std::size_t(height), 0);
    for (std::size_t y = 0; y < rows.places.size(); ++y) {
        const Axis::Place& row = rows.places[y];
        uint8_t* to = &pixels[(std::size_t(rows.begin) + y) * std::size_t(width) +
                              std::size_t(columns.begin)];
        for (const Axis::Place& column : columns.places) {
            const auto between = [&](std::size_t r) {
                const float* cell = &cells[r * size];
                return (1 - column.highShare) * cell[column.low] +
                       column.highShare * cell[column.high];
            };
            *to++ = (1 - row.highShare) * between(row.low) + row.highShare * between(row.high) >
                    threshold;
        }
    }
    return encodeMask(pixels, width, height);
}

} // namespace scalebench::detection
