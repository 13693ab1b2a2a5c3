// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/detection_arguments.h"

#include <string>

#include "kernels/check.h"

namespace scalebench {
namespace {

void requireVector(const char* op, const Tensor& t, DType dtype, std::int64_t n)
{
    SB_REQUIRE(t.dtype() == dtype && t.shape() == Shape({n}),
               std::string(op) + ": " + t.describe() + " must be " + dtypeName(dtype) + "[" +
                   std::to_string(n) + "]");
}

} // namespace

void requireBoxes(const char* op, const Tensor& t, std::int64_t width, std::size_t rank)
{
    SB_REQUIRE(!t.shape().empty(), std::string(op) + ": no input");
    SB_REQUIRE(t.dtype() == DType::F32 && t.shape().back() == width &&
                   (rank == 0 || t.shape().size() == rank),
               std::string(op) + ": " + t.describe() + " must be f32 [" +
                   (rank == 2 ? "n," : "...,") + std::to_string(width) + "]");
}

void requireRois(const char* op, const Tensor& rois, const Tensor& levelOf)
{
    requireBoxes(op, rois, 5, 2);
    if (!levelOf.shape().empty())
        requireVector(op, levelOf, DType::I32, rois.dim(0));
}

RoiAlignParams roiAlignParams(const char* op, const RoiAlignArgs& args, const Shape& features,
                              const Tensor& rois, const Tensor& output)
{
    SB_REQUIRE(features.size() == 4,
               std::string(op) + ": features " + toString(features) + " must have 4 axes");
    SB_REQUIRE(args.outH > 0 && args.outW > 0,
               std::string(op) + ": the output must have a size, not " + std::to_string(args.outH) +
                   "x" + std::to_string(args.outW));
    RoiAlignParams p;
    p.N = features[0], p.H = features[1], p.W = features[2], p.C = features[3];
    p.rois = rois.dim(0);
    p.outH = args.outH, p.outW = args.outW;
    p.spatialScale = args.spatialScale;
    p.samplingRatio = args.samplingRatio;
    p.aligned = args.aligned;
    p.level = args.level;
    p.dtype = output.dtype();
    SB_REQUIRE(output.shape() == Shape({p.rois, p.outH, p.outW, p.C}),
               std::string(op) + ": " + output.describe() + " does not fit to features " +
                   toString(features) + " and regions " + rois.describe());
    return p;
}

std::int64_t deltaClasses(const Tensor& anchors, const Tensor& deltas)
{
    requireBoxes("box decode", anchors, 4, 2);
    requireBoxes("box decode", deltas, 4, 0);
    const std::size_t rank = deltas.shape().size();
    SB_REQUIRE((rank == 2 || rank == 3) && deltas.dim(0) == anchors.dim(0),
               "box decode: deltas " + deltas.describe() + " do not fit to anchors " +
                   anchors.describe());
    return rank == 3 ? deltas.dim(1) : 1;
}

void requireImageSize(float width, float height)
{
    SB_REQUIRE(width >= 0.0f && height >= 0.0f,
               "clip boxes: the image is " + std::to_string(width) + "x" + std::to_string(height));
}

void requireMatch(const MatchParams& p, const Tensor& boxes, const Tensor& anchors)
{
    requireBoxes("match boxes", boxes, 4, 2);
    requireBoxes("match boxes", anchors, 4, 2);
    SB_REQUIRE(p.low <= p.high, "match boxes: the lower threshold " + std::to_string(p.low) +
                                    " is above the upper " + std::to_string(p.high));
}

void requireNms(const Tensor& boxes, const Tensor& scores, const Tensor& groups)
{
    requireBoxes("nms", boxes, 4, 2);
    requireVector("nms", scores, DType::F32, boxes.dim(0));
    if (!groups.shape().empty())
        requireVector("nms", groups, DType::I32, boxes.dim(0));
}

} // namespace scalebench
