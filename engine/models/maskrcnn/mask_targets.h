// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the mask head is to say of a region.

#include "engine/models/detector/detector.h"

#include <cstdint>
#include <span>

namespace scalebench {

/// The mask of object `number` of the note's lists within each of the boxes [n,4] (corners in
/// pixels of the row): targets [n,edge,edge] of 0..1, as torchvision makes them. The stored mask is
/// scaled to the picture's size in the row (nearest) and mirrored as the picture is; a cell is the
/// mean of bilinear samples about a pixel apart (ROIAlign, samplingRatio 0, not aligned).
/// InvalidArgument where the object has no mask.
void maskTargets(const PictureNote& note, int32_t number, std::span<const float> boxes, int edge,
                 std::span<float> targets);

} // namespace scalebench
