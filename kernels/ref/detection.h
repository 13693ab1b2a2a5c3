// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Detection operations in double precision, written as their papers state them. Layouts as in
// kernels/roi_align.h and kernels/boxes.h; integers come as they are, results by value.

#include <cstdint>
#include <vector>

#include "kernels/boxes.h"
#include "kernels/ref/values.h"
#include "kernels/roi_align.h"

namespace scalebench::kernels::ref {

/// y [rois,outH,outW,C]; the rows of other levels are 0.
Values roiAlignForward(const RoiAlignParams& p, const Values& x, const Values& rois,
                       const std::vector<std::int32_t>& levelOf);

Values boxEncode(const BoxCodingParams& p, const Values& anchors, const Values& boxes);
Values boxDecode(const BoxCodingParams& p, std::int64_t classes, const Values& anchors,
                 const Values& deltas);
/// [na,nb]
Values boxIou(const Values& a, const Values& b);
/// Marks per anchor from the whole matrix of overlaps.
std::vector<std::int32_t> matchBoxes(const MatchParams& p, const Values& boxes,
                                     const Values& anchors);
/// Numbers of the kept boxes; groups may be empty.
std::vector<std::int32_t> nms(const NmsParams& p, const Values& boxes, const Values& scores,
                              const std::vector<std::int32_t>& groups);

} // namespace scalebench::kernels::ref
