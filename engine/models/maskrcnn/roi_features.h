// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Features of regions: each is cut out of the pyramid level that suits its size (Lin et al. 2016,
// arXiv 1612.03144, equation 1) by ROIAlign.

#include "engine/autograd/functions/detection.h"
#include "engine/models/detector/detector.h"

#include <cstdint>
#include <vector>

namespace scalebench {

struct RoiLevels {
    std::vector<int> strides = {4, 8, 16, 32}; ///< of the levels, finest first; each twice the last
    double canonicalSize = 224;                ///< square root of the area of a region ...
    int canonicalLevel = 2; ///< ... from which on this level is taken (0: the finest)
};

/// The level of a region: floor(canonicalLevel + log2(sqrt(area) / canonicalSize) + 1e-6), within
/// the levels.
int32_t levelOfRegion(const RoiLevels& levels, const float* box);

/// Regions of a batch: of image `image[i]` the corners boxes[4 i ...].
struct Regions {
    std::vector<int32_t> images;
    std::vector<float> boxes; ///< [n,4]

    int64_t count() const { return int64_t(images.size()); }
    /// Corners [n,4] of one image.
    void add(int32_t image, const float* corners, int64_t n);
};

/// maps: at least the levels, finest first. Returns [regions,edge,edge,C]: two samples per cell and
/// axis, not aligned, as the published network has it.
Variable regionFeatures(Tape& tape, const RoiLevels& levels, const std::vector<Variable>& maps,
                        const Regions& regions, int edge);

} // namespace scalebench
