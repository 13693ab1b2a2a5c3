// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the objects of a picture ask of RetinaNet's anchors (arXiv 1708.02002, section 4.1).

#include "engine/detection/anchors.h"
#include "engine/models/detector/detector.h"
#include "engine/tensor/batch.h"

#include <span>
#include <vector>

namespace scalebench {

/// Appends to batch.tensors, for each level with A anchors a picture, of host memory:
/// labels I32 [N,A]: the category of the object that an anchor overlaps by 0.5 or most of all
/// anchors, kFocalBackground below 0.4, kFocalIgnored between; weights F32 [N,A]: 1 over the
/// anchors with an object in the picture (at least 1); targets F32 [N,A,4]: the coded box of those
/// with an object, else 0; boxWeights F32 [N,A]: the weight where there is an object, else 0.
/// `anchors`: makeAnchors() for the pictures' rows of height x width.
void retinaTargets(const detection::AnchorConfig& config, std::span<const float> anchors,
                   int height, int width, const std::vector<PictureNote>& notes, Allocator& memory,
                   Batch& batch);

inline constexpr std::size_t kRetinaTensorsOfLevel = 4;

} // namespace scalebench
