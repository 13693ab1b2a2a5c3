// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// ROIAlign on the device; parameters and formula: kernels/roi_align.h. F32, BF16 and F16, sums in
// fp32. Backward gathers: a block owns eight pixels of a row and takes the regions that reach them
// in order, so that the bits are the same every run. The weights of a sample are a product of one
// per axis, which makes the gather a small product per region.

#include <cuda_runtime.h>

#include "kernels/cuda/bad_index.h"
#include "kernels/roi_align.h"

namespace scalebench::kernels::cuda {

/// x [N,H,W,C], rois [rois,5] F32, levelOf [rois] I32 or null -> the rows of y [rois,outH,outW,C]
/// whose region is of p.level. An image number outside [0,N) is noted in `bad` (position: the
/// region) and its row left alone.
void roiAlignForward(const RoiAlignParams& p, const void* x, const float* rois,
                     const std::int32_t* levelOf, BadIndex bad, void* y, cudaStream_t stream);
/// dx [N,H,W,C], overwritten, from dy as y.
void roiAlignBackward(const RoiAlignParams& p, const void* dy, const float* rois,
                      const std::int32_t* levelOf, BadIndex bad, void* dx, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
