// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// ROIAlign on the tape.

#include <vector>

#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

/// One level of a feature pyramid.
struct RoiLevel {
    Variable features; ///< [N,H,W,C]; C and element type as in the other levels
    float spatialScale = 1.0f;
};

/// Regions of a pyramid: rois F32 [R,5] (image number, x1, y1, x2, y2 in image coordinates), each
/// from the level that levelOf I32 [R] names (0 is levels[0]); undefined with one level only.
/// Returns [R,args.outH,args.outW,C]. args.level and args.spatialScale are not read. The gradient
/// goes to the features; regions are constants. InvalidArgument for a level that does not exist.
Variable roiAlign(Tape& tape, const RoiAlignArgs& args, const std::vector<RoiLevel>& levels,
                  const Tensor& rois, const Tensor& levelOf);

} // namespace scalebench::autograd
