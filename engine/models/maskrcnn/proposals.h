// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Boxes that may hold an object, from the outputs of a region proposal network (Ren et al. 2015,
// arXiv 1506.01497; on pyramids Lin et al. 2016, arXiv 1612.03144), as torchvision picks them.

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench {

struct ProposalOptions {
    int perLevel = 1000; ///< best of each level, before suppression
    int total = 1000;    ///< of a picture, after it
    double nmsOverlap = 0.7;
    double smallest = 1e-3; ///< edge in pixels; smaller boxes are dropped
};

/// Outputs of one picture, by anchor, level after level.
struct AnchorOutputs {
    std::span<const float> anchors;          ///< [A,4], corners in pixels
    std::span<const float> scores;           ///< [A], logits
    std::span<const float> deltas;           ///< [A,4], coded with weights 1
    std::span<const int64_t> anchorsByLevel; ///< sum: A
};

/// Of each level the anchors with the best scores, moved by their deltas, cut to the picture and
/// suppressed within the level: corners [n,4] by falling score. Equal scores count by the anchors'
/// order, scores that are no number last.
std::vector<float> proposeBoxes(const AnchorOutputs& outputs, int width, int height,
                                const ProposalOptions& options);

} // namespace scalebench
