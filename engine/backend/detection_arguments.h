// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the detection ops of every device check of their arguments: shapes and types, not what boxes
// hold. InvalidArgument otherwise.

#include <cstdint>

#include "engine/backend/ops/detection_ops.h"
#include "kernels/roi_align.h"

namespace scalebench {

/// F32 with last axis `width` (and, if rank is given, so many axes).
void requireBoxes(const char* op, const Tensor& t, std::int64_t width, std::size_t rank);
/// rois [R,5] and, unless it has no shape, levelOf [R].
void requireRois(const char* op, const Tensor& rois, const Tensor& levelOf);
/// rois and levels as above, output (or its gradient) [R,outH,outW,C].
RoiAlignParams roiAlignParams(const char* op, const RoiAlignArgs& args, const Shape& features,
                              const Tensor& rois, const Tensor& output);
/// Classes of deltas [n,4] (1) or [n,classes,4].
std::int64_t deltaClasses(const Tensor& anchors, const Tensor& deltas);
void requireImageSize(float width, float height);
void requireMatch(const MatchParams& p, const Tensor& boxes, const Tensor& anchors);
/// scores and, unless it has no shape, groups belong to the boxes.
void requireNms(const Tensor& boxes, const Tensor& scores, const Tensor& groups);

} // namespace scalebench
