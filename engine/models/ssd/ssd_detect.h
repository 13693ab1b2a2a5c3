// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From SSD's outputs to boxes (Liu et al. 2015, arXiv 1512.02325, section 2.2 and 3.1), on the
// host.

#include "engine/models/detector/detector.h"

#include <span>
#include <vector>

namespace scalebench {

/// logits [A, 1+categories], deltas [A,4] of one picture and the default boxes [A,4] in units of
/// the row -> found objects by falling score, in pixels of a row of `edge` x `edge`. options.
/// candidates: of a category before suppression.
std::vector<FoundObject> ssdDetections(std::span<const float> logits, std::span<const float> deltas,
                                       std::span<const float> defaults, int edge,
                                       const DetectOptions& options);

} // namespace scalebench
