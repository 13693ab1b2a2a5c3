// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What detectors do with boxes, on the device: as kernels/boxes.h. All results are the same bits
// every run. The file is compiled without fused multiply-adds: overlaps that are compared must come
// out equal wherever they are computed.

#include <cuda_runtime.h>

#include "kernels/boxes.h"

namespace scalebench::kernels::cuda {

/// deltas [n,4] from anchors [n,4] and boxes [n,4].
void boxEncode(const BoxCodingParams& p, std::int64_t n, const float* anchors, const float* boxes,
               float* deltas, cudaStream_t stream);
/// boxes [n,classes,4] from anchors [n,4] and deltas [n,classes,4].
void boxDecode(const BoxCodingParams& p, std::int64_t n, std::int64_t classes, const float* anchors,
               const float* deltas, float* boxes, cudaStream_t stream);
/// Cuts boxes [n,4] to [0,width] x [0,height], in place.
void clipBoxes(std::int64_t n, float width, float height, float* boxes, cudaStream_t stream);
/// iou [na,nb] of a [na,4] and b [nb,4].
void boxIou(std::int64_t na, std::int64_t nb, const float* a, const float* b, float* iou,
            cudaStream_t stream);

/// Bytes of scratch of matchBoxes(), 8-byte aligned.
std::size_t matchScratch(std::int64_t boxes);
/// match [anchors] I32; box [boxes,4] may be null without boxes.
void matchBoxes(const MatchParams& p, std::int64_t boxes, std::int64_t anchors, const float* box,
                const float* anchor, std::int32_t* match, void* scratch, cudaStream_t stream);

/// Bytes of scratch of nms(), 16-byte aligned.
std::size_t nmsScratch(std::int64_t n);
/// keep [n] I32 gets the numbers of the kept boxes, `kept` (device memory) how many. n below 2^31.
/// Blocks of 512 boxes by falling score, one after the other: overlaps inside as bit masks, from
/// which one warp decides; then the boxes behind are tested against those kept.
void nms(const NmsParams& p, std::int64_t n, const float* boxes, const float* scores,
         const std::int32_t* groups, std::int32_t* keep, std::int32_t* kept, void* scratch,
         cudaStream_t stream);

} // namespace scalebench::kernels::cuda
