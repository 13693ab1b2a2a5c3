// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The regions of a picture that the heads of Mask R-CNN are trained on, and what they are to say of
// them (Girshick 2015, arXiv 1504.08083, section 2.3; He et al. 2017, arXiv 1703.06870, section 3).

#include "engine/models/detector/detector.h"

#include <cstdint>
#include <vector>

namespace scalebench {

struct RoiSampleOptions {
    int count = 512; ///< of a picture
    double positiveShare = 0.25;
    double overlap = 0.5; ///< with a true box, from which on a region is its
};

/// Deltas of the box head: coded with these weights.
inline constexpr float kRoiWeights[4] = {10, 10, 5, 5};

/// The positive regions come first.
struct RoiSample {
    std::vector<float> boxes;     ///< [n,4], corners in pixels
    std::vector<int32_t> labels;  ///< [n]: 0 background, else category + 1
    std::vector<int32_t> objects; ///< [positives]: index into the note's lists
    std::vector<float> targets;   ///< [positives,4]: what moves the region onto its true box

    int64_t count() const { return int64_t(labels.size()); }
    int64_t positives() const { return int64_t(objects.size()); }
};

/// Proposals [n,4] and the true boxes themselves are candidates. Drawn by the note's key only.
RoiSample sampleRegions(const PictureNote& note, const std::vector<float>& proposals,
                        const RoiSampleOptions& options);

} // namespace scalebench
