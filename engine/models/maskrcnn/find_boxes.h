// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From the box head's outputs to found objects, as torchvision does it.

#include "engine/models/detector/detector.h"

#include <span>
#include <vector>

namespace scalebench {

/// Boxes of less than this in width or height, in pixels, are dropped.
inline constexpr float kSmallestFound = 1e-2f;

/// boxes [R,4], logits [R,classes] (0: background) and deltas [R,classes,4] of one picture of width
/// x height. Every category of every region with a softmax score above the threshold is a candidate
/// with its own box, cut to the picture; suppressed within the category. By falling score, without
/// masks.
std::vector<FoundObject> findBoxes(std::span<const float> boxes, std::span<const float> logits,
                                   std::span<const float> deltas, int width, int height,
                                   const DetectOptions& options);

} // namespace scalebench
