// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Object-detection operations of a backend. Boxes are F32 (x1, y1, x2, y2); feature maps NHWC in
// F32 or BF16. What no gradient flows through is here too, so that proposals need not leave the
// device.

#include "engine/tensor/tensor.h"
#include "kernels/boxes.h"

namespace scalebench {

/// How ROIAlign samples; see kernels/roi_align.h.
struct RoiAlignArgs {
    std::int64_t outH = 7, outW = 7;
    float spatialScale = 1.0f;
    int samplingRatio = 2;
    bool aligned = false;
    std::int32_t level = 0; ///< the level of the pyramid that the feature map is
};

class DetectionOps
{
public:
    virtual ~DetectionOps() = default;

    /// features [N,H,W,C]; rois F32 [R,5]: image number, box in image coordinates; levelOf I32 [R]
    /// or undefined: all are of this level. Writes the rows of `output` [R,outH,outW,C] whose
    /// region is of args.level. InvalidArgument for an image number outside [0,N).
    virtual void roiAlignForward(const RoiAlignArgs& args, const Tensor& features,
                                 const Tensor& rois, const Tensor& levelOf, Tensor output) = 0;
    /// Gradient of the features, from the rows of gradOutput of this level.
    virtual Tensor roiAlignBackward(const RoiAlignArgs& args, const Shape& featureShape,
                                    const Tensor& gradOutput, const Tensor& rois,
                                    const Tensor& levelOf) = 0;

    /// anchors [n,4], boxes [n,4] -> deltas [n,4].
    virtual Tensor boxEncode(const BoxCodingParams& p, const Tensor& anchors,
                             const Tensor& boxes) = 0;
    /// anchors [n,4], deltas [n,4] or [n,classes,4] (F32) -> boxes, as the deltas.
    virtual Tensor boxDecode(const BoxCodingParams& p, const Tensor& anchors,
                             const Tensor& deltas) = 0;
    /// Cuts boxes [...,4] to [0,width] x [0,height], in place.
    virtual void clipBoxes(Tensor boxes, float width, float height) = 0;
    /// [na,4], [nb,4] -> [na,nb].
    virtual Tensor boxIou(const Tensor& a, const Tensor& b) = 0;
    /// The true box [g,4] of every anchor [n,4]: I32 [n], kBackground or kIgnored for none.
    virtual Tensor matchBoxes(const MatchParams& p, const Tensor& boxes, const Tensor& anchors) = 0;
    /// boxes [n,4], scores F32 [n], groups I32 [n] or undefined -> I32 [kept], by falling score.
    virtual Tensor nms(const NmsParams& p, const Tensor& boxes, const Tensor& scores,
                       const Tensor& groups) = 0;
};

} // namespace scalebench
