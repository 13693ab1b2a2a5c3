// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pixels as detectors want them.

#include <cstdint>
#include <span>

namespace scalebench::workloads {

/// 8-bit pixels rgb [height, width, 3] to 0..1 in the upper left corner of rows of `rowWidth`
/// pixels, mirrored if asked; what lies beside is not touched.
void toUnits(std::span<const uint8_t> rgb, int width, int height, bool mirrored, int rowWidth,
             std::span<float> out);

/// 0..1 (cut to it) to ImageNet's mean 0 and deviation 1, in place, of the same part of the rows.
void normalisePixels(std::span<float> rgb, int width, int height, int rowWidth);

} // namespace scalebench::workloads
