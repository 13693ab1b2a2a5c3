// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Average precision and recall of detections as COCO defines them (cocodataset.org, "detection
// evaluation") and pycocotools computes them: ten overlaps 0.50 ... 0.95, 101 recall points, size
// ranges by the area of the true object, at most 1, 10 and 100 detections a picture and category,
// crowds and ignored objects neither asked for nor held against a detection.

#include "engine/detection/annotated_set.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scalebench::detection {

struct Detection {
    int32_t picture = 0;  ///< index into AnnotatedSet::pictures
    int32_t category = 0; ///< index into AnnotatedSet::categories
    double score = 0;
    Box box;
    RunLengthMask mask; ///< only where masks are measured
};

enum class Overlap { Boxes, Masks };

/// Each between 0 and 1, or -1 where no true object is of that size.
struct CocoScores {
    double ap = -1, ap50 = -1, ap75 = -1;
    double apSmall = -1, apMedium = -1, apLarge = -1;
    double ar1 = -1, ar10 = -1, ar100 = -1;
    double arSmall = -1, arMedium = -1, arLarge = -1;
};

/// AP of one category over all overlaps (all sizes, 100 detections), -1 without a true object.
using CategoryPrecision = std::vector<double>;

/// Detections of one picture count in the order of falling score, equal ones in the order given.
/// InvalidArgument for a picture or category that the set does not have, a score that is no number,
/// or, with Overlap::Masks, a mask of another size than the picture's.
CocoScores cocoScores(const AnnotatedSet& truth, std::span<const Detection> found, Overlap overlap,
                      CategoryPrecision* byCategory = nullptr);

/// Intersection over union of (found, true) boxes; `crowd`: over the area of the found one.
double boxOverlap(const Box& found, const Box& truth, bool crowd);

} // namespace scalebench::detection
