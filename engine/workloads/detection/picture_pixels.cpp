// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/detection/picture_pixels.h"

#include "engine/data/dataset.h"

#include <algorithm>
#include <cstddef>

namespace scalebench::workloads {

void toUnits(std::span<const uint8_t> rgb, int width, int height, bool mirrored, int rowWidth,
             std::span<float> out)
{
    const auto columns = size_t(width);
    for (size_t y = 0; y < size_t(height); ++y)
        for (size_t x = 0; x < columns; ++x) {
            const size_t from = 3 * (y * columns + (mirrored ? columns - 1 - x : x));
            for (size_t c = 0; c < 3; ++c)
                out[3 * (y * size_t(rowWidth) + x) + c] = float(rgb[from + c]) / 255.0f;
        }
}

void normalisePixels(std::span<float> rgb, int width, int height, int rowWidth)
{
    const data::ChannelStatistics statistics;
    for (size_t y = 0; y < size_t(height); ++y) {
        const auto row = rgb.subspan(3 * y * size_t(rowWidth), 3 * size_t(width));
        for (size_t i = 0; i < row.size(); ++i)
            row[i] = (std::clamp(row[i], 0.0f, 1.0f) - statistics.mean[i % 3]) /
                     statistics.deviation[i % 3];
    }
}

} // namespace scalebench::workloads
