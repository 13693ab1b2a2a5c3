// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From the small mask that a network draws within a box to the picture's pixels.

#include "engine/detection/run_length_mask.h"

#include <cstdint>
#include <span>

namespace scalebench::detection {

/// probabilities [edge,edge] of the box with these corners, in pixels of a picture of width x
/// height: pixels above `threshold` belong to the mask. As torchvision and MLPerf's reference paste
/// it: a border of zeros around the mask and as much more of the box, its corners cut to whole
/// pixels, bilinear between the cells' middles. Parts outside are cut off; a box that is no number
/// gives an empty mask.
RunLengthMask pasteMask(std::span<const float> probabilities, int edge, const float (&corners)[4],
                        int width, int height, float threshold = 0.5f);

} // namespace scalebench::detection
