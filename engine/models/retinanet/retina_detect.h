// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From RetinaNet's outputs to boxes (arXiv 1708.02002, section 4.1 "inference"), as torchvision
// does it. On the host.

#include "engine/models/detector/detector.h"

#include <span>
#include <vector>

namespace scalebench {

/// Of one level, F32 on the host: logits [N,A,categories], deltas [N,A,4].
struct RetinaOutputs {
    Tensor logits, deltas;
};

/// Of each picture: on each level the options.candidates best pairs of anchor and category above
/// the score threshold, their boxes cut to the picture, per category those that no better box
/// overlaps by more than options.nmsOverlap, and of all the options.detections best. `anchors`
/// [all levels, 4].
std::vector<std::vector<FoundObject>> retinaDetections(std::span<const RetinaOutputs> levels,
                                                       std::span<const float> anchors,
                                                       const std::vector<PictureNote>& notes,
                                                       const DetectOptions& options);

} // namespace scalebench
