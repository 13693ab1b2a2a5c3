// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Boxes and regions, the same on every device but for the kernels.

#include "engine/backend/detection_arguments.h"
#include "engine/backend/ops/detection_ops.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/check.h"

namespace scalebench {

/// Device: its Context (make, workspace, launch, Timer), requireActivation, the kernels by name,
/// and
///   requireImages(op, rois, levelOf, images)   what can be checked without waiting
///   roiAlign(context, p, features, rois, levelOf, output), roiAlignGradient(...)
///   match(context, p, boxes, anchors, match)
///   nms(context, p, boxes, scores, groups, keep)   -> those kept; n > 0
/// Empty tensors do not come to the kernels.
template <class Device>
class DetectionFamily final : public DetectionOps
{
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;

public:
    explicit DetectionFamily(Context& context) : context_(context) {}

    void roiAlignForward(const RoiAlignArgs& args, const Tensor& features, const Tensor& rois,
                         const Tensor& levelOf, Tensor output) override
    {
        const Timer timer(context_, "roi align forward");
        Device::requireActivation("roi align", features, 4);
        Device::requireImages("roi align", rois, levelOf, features.dim(0));
        const auto p = roiAlignParams("roi align", args, features.shape(), rois, output);
        SB_REQUIRE(output.dtype() == features.dtype(), "roi align: " + output.describe() + " and " +
                                                           features.describe() +
                                                           " must have one type");
        if (output.count() == 0)
            return;
        SB_REQUIRE(features.count() > 0,
                   "roi align: regions of an empty map " + features.describe());
        Device::roiAlign(context_, p, features, rois, levelOf, output);
    }

    Tensor roiAlignBackward(const RoiAlignArgs& args, const Shape& featureShape,
                            const Tensor& gradOutput, const Tensor& rois,
                            const Tensor& levelOf) override
    {
        const Timer timer(context_, "roi align gradient");
        Device::requireActivation("roi align gradient", gradOutput, 4);
        Device::requireImages("roi align gradient", rois, levelOf,
                              featureShape.empty() ? 0 : featureShape[0]);
        const auto p = roiAlignParams("roi align gradient", args, featureShape, rois, gradOutput);
        Tensor gradFeatures = context_.make(featureShape, p.dtype);
        if (gradFeatures.count() > 0)
            Device::roiAlignGradient(context_, p, gradOutput, rois, levelOf, gradFeatures);
        return gradFeatures;
    }

    Tensor boxEncode(const BoxCodingParams& p, const Tensor& anchors, const Tensor& boxes) override
    {
        const Timer timer(context_, "box coding");
        requireBoxes("box encode", anchors, 4, 2);
        requireSame("box encode", anchors, boxes);
        Tensor deltas = context_.make(anchors.shape(), DType::F32);
        if (deltas.count() > 0)
            context_.launch(Device::boxEncode, p, anchors.dim(0), floats(anchors), floats(boxes),
                            floats(deltas));
        return deltas;
    }

    Tensor boxDecode(const BoxCodingParams& p, const Tensor& anchors, const Tensor& deltas) override
    {
        const Timer timer(context_, "box coding");
        const std::int64_t classes = deltaClasses(anchors, deltas);
        Tensor boxes = context_.make(deltas.shape(), DType::F32);
        if (boxes.count() > 0)
            context_.launch(Device::boxDecode, p, anchors.dim(0), classes, floats(anchors),
                            floats(deltas), floats(boxes));
        return boxes;
    }

    void clipBoxes(Tensor boxes, float width, float height) override
    {
        requireBoxes("clip boxes", boxes, 4, 0);
        requireImageSize(width, height);
        if (boxes.count() > 0)
            context_.launch(Device::clipBoxes, boxes.count() / 4, width, height, floats(boxes));
    }

    Tensor boxIou(const Tensor& a, const Tensor& b) override
    {
        const Timer timer(context_, "box overlaps");
        requireBoxes("box overlaps", a, 4, 2);
        requireBoxes("box overlaps", b, 4, 2);
        Tensor iou = context_.make({a.dim(0), b.dim(0)}, DType::F32);
        if (iou.count() > 0)
            context_.launch(Device::boxIou, a.dim(0), b.dim(0), floats(a), floats(b), floats(iou));
        return iou;
    }

    Tensor matchBoxes(const MatchParams& p, const Tensor& boxes, const Tensor& anchors) override
    {
        const Timer timer(context_, "match boxes");
        requireMatch(p, boxes, anchors);
        Tensor match = context_.make({anchors.dim(0)}, DType::I32);
        if (match.count() > 0)
            Device::match(context_, p, boxes, anchors, match);
        return match;
    }

    Tensor nms(const NmsParams& p, const Tensor& boxes, const Tensor& scores,
               const Tensor& groups) override
    {
        const Timer timer(context_, "nms");
        requireNms(boxes, scores, groups);
        const Tensor keep = context_.make({boxes.dim(0)}, DType::I32);
        return keep.count() == 0 ? keep : Device::nms(context_, p, boxes, scores, groups, keep);
    }

private:
    /// Empty tensors have none.
    static float* floats(const Tensor& t) { return static_cast<float*>(t.data()); }

    Context& context_;
};

} // namespace scalebench
