// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// ROIAlign (He et al. 2017, arXiv 1703.06870) as torchvision.ops.roi_align defines it: every output
// cell is the mean of bilinear samples of the feature map. One call serves one level of a feature
// pyramid: of a common list of regions it takes those that levelOf assigns to it.

#include <cstddef>
#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct RoiAlignParams {
    std::int64_t N = 1, H = 1, W = 1, C = 1; ///< feature map x [N,H,W,C]
    std::int64_t rois = 0;                   ///< all regions, of every level
    std::int64_t outH = 7, outW = 7;
    float spatialScale = 1.0f; ///< feature pixels per image pixel
    int samplingRatio = 2;     ///< samples per cell and axis; <= 0: one per feature pixel
    bool aligned = false;     ///< true: pixel centres at half coordinates (detectron2, torchvision)
    std::int32_t level = 0;   ///< the level that x is
    DType dtype = DType::F32; ///< of x and y; F32 or BF16, sums in fp32
};

namespace kernels::cpu {

/// rois [rois,5] F32: image number in [0,N), x1, y1, x2, y2 in image coordinates. levelOf [rois]
/// I32, or null: all regions are of this level. y [rois,outH,outW,C]: the rows of this level's
/// regions are overwritten, others left alone.
void roiAlignForward(const RoiAlignParams& p, const void* x, const float* rois,
                     const std::int32_t* levelOf, void* y);

/// Bytes of scratch that roiAlignBackward() needs.
std::size_t roiAlignBackwardScratch(const RoiAlignParams& p);
/// dx [N,H,W,C], overwritten, from the rows of dy (as y) that belong to this level. Regions have no
/// gradient.
void roiAlignBackward(const RoiAlignParams& p, const void* dy, const float* rois,
                      const std::int32_t* levelOf, void* dx, void* scratch);

} // namespace kernels::cpu
} // namespace scalebench
