// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/backend/cpu/families.h"
#include "kernels/roi_align.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

/// InvalidArgument unless F32 with last axis `width` (and, if rank is given, so many axes).
void requireBoxes(const char* op, const Tensor& t, std::int64_t width, std::size_t rank)
{
    SB_REQUIRE(!t.shape().empty(), std::string(op) + ": no input");
    SB_REQUIRE(t.dtype() == DType::F32 && t.shape().back() == width &&
                   (rank == 0 || t.shape().size() == rank),
               std::string(op) + ": " + t.describe() + " must be f32 [" +
                   (rank == 2 ? "n," : "...,") + std::to_string(width) + "]");
}

void requireVector(const char* op, const Tensor& t, DType dtype, std::int64_t n)
{
    SB_REQUIRE(t.dtype() == dtype && t.shape() == Shape({n}),
               std::string(op) + ": " + t.describe() + " must be " + dtypeName(dtype) + "[" +
                   std::to_string(n) + "]");
}

const std::int32_t* idsOrNull(const Tensor& t)
{
    return t.shape().empty() ? nullptr : t.i32().data();
}

void requireRois(const char* op, const Tensor& rois, const Tensor& levelOf, std::int64_t images)
{
    requireBoxes(op, rois, 5, 2);
    if (!levelOf.shape().empty())
        requireVector(op, levelOf, DType::I32, rois.dim(0));
    for (std::int64_t r = 0; r < rois.dim(0); ++r) {
        const float image = rois.f32()[std::size_t(r * 5)];
        SB_REQUIRE(image >= 0.0f && image < float(images),
                   std::string(op) + ": region " + std::to_string(r) + " is of image " +
                       std::to_string(image) + ", but there are " + std::to_string(images));
    }
}

RoiAlignParams roiParams(const RoiAlignArgs& args, const Shape& features, DType dtype,
                         std::int64_t rois)
{
    SB_REQUIRE(args.outH > 0 && args.outW > 0, "roi align: the output must have a size, not " +
                                                   std::to_string(args.outH) + "x" +
                                                   std::to_string(args.outW));
    RoiAlignParams p;
    p.N = features[0], p.H = features[1], p.W = features[2], p.C = features[3];
    p.rois = rois;
    p.outH = args.outH, p.outW = args.outW;
    p.spatialScale = args.spatialScale;
    p.samplingRatio = args.samplingRatio;
    p.aligned = args.aligned;
    p.level = args.level;
    p.dtype = dtype;
    return p;
}

class CpuDetection final : public DetectionOps
{
public:
    explicit CpuDetection(CpuContext& context) : context_(context) {}

    void roiAlignForward(const RoiAlignArgs& args, const Tensor& features, const Tensor& rois,
                         const Tensor& levelOf, Tensor output) override
    {
        const CpuContext::Timer timer(context_, "roi align forward");
        requireActivation("roi align", features, 4);
        requireRois("roi align", rois, levelOf, features.dim(0));
        const auto p = roiParams(args, features.shape(), features.dtype(), rois.dim(0));
        SB_REQUIRE(output.shape() == Shape({p.rois, p.outH, p.outW, p.C}) &&
                       output.dtype() == p.dtype,
                   "roi align: the output " + output.describe() + " does not fit to features " +
                       features.describe() + " and regions " + rois.describe());
        if (output.count() == 0)
            return;
        SB_REQUIRE(features.count() > 0,
                   "roi align: regions of an empty map " + features.describe());
        cpu::roiAlignForward(p, features.data(), rois.f32().data(), idsOrNull(levelOf),
                             output.data());
    }

    Tensor roiAlignBackward(const RoiAlignArgs& args, const Shape& featureShape,
                            const Tensor& gradOutput, const Tensor& rois,
                            const Tensor& levelOf) override
    {
        const CpuContext::Timer timer(context_, "roi align gradient");
        requireActivation("roi align gradient", gradOutput, 4);
        SB_REQUIRE(featureShape.size() == 4,
                   "roi align gradient: features " + toString(featureShape) + " must have 4 axes");
        requireRois("roi align gradient", rois, levelOf, featureShape[0]);
        const auto p = roiParams(args, featureShape, gradOutput.dtype(), rois.dim(0));
        SB_REQUIRE(gradOutput.shape() == Shape({p.rois, p.outH, p.outW, p.C}),
                   "roi align gradient: " + gradOutput.describe() + " does not fit to features " +
                       toString(featureShape) + " and regions " + rois.describe());
        Tensor gradFeatures = context_.make(featureShape, p.dtype);
        if (gradFeatures.count() > 0)
            cpu::roiAlignBackward(p, gradOutput.data(), rois.f32().data(), idsOrNull(levelOf),
                                  gradFeatures.data(),
                                  context_.workspace(cpu::roiAlignBackwardScratch(p)));
        return gradFeatures;
    }

    Tensor boxEncode(const BoxCodingParams& p, const Tensor& anchors, const Tensor& boxes) override
    {
        const CpuContext::Timer timer(context_, "box coding");
        requireBoxes("box encode", anchors, 4, 2);
        requireSame("box encode", anchors, boxes);
        Tensor deltas = context_.make(anchors.shape(), DType::F32);
        if (deltas.count() > 0)
            cpu::boxEncode(p, anchors.dim(0), anchors.f32().data(), boxes.f32().data(),
                           deltas.f32().data());
        return deltas;
    }

    Tensor boxDecode(const BoxCodingParams& p, const Tensor& anchors, const Tensor& deltas) override
    {
        const CpuContext::Timer timer(context_, "box coding");
        requireBoxes("box decode", anchors, 4, 2);
        requireBoxes("box decode", deltas, 4, 0);
        const std::size_t rank = deltas.shape().size();
        SB_REQUIRE((rank == 2 || rank == 3) && deltas.dim(0) == anchors.dim(0),
                   "box decode: deltas " + deltas.describe() + " do not fit to anchors " +
                       anchors.describe());
        Tensor boxes = context_.make(deltas.shape(), DType::F32);
        if (boxes.count() > 0)
            cpu::boxDecode(p, anchors.dim(0), rank == 3 ? deltas.dim(1) : 1, anchors.f32().data(),
                           deltas.f32().data(), boxes.f32().data());
        return boxes;
    }

    void clipBoxes(Tensor boxes, float width, float height) override
    {
        requireBoxes("clip boxes", boxes, 4, 0);
        SB_REQUIRE(width >= 0.0f && height >= 0.0f, "clip boxes: the image is " +
                                                        std::to_string(width) + "x" +
                                                        std::to_string(height));
        if (boxes.count() > 0)
            cpu::clipBoxes(boxes.count() / 4, width, height, boxes.f32().data());
    }

    Tensor boxIou(const Tensor& a, const Tensor& b) override
    {
        const CpuContext::Timer timer(context_, "box overlaps");
        requireBoxes("box overlaps", a, 4, 2);
        requireBoxes("box overlaps", b, 4, 2);
        Tensor iou = context_.make({a.dim(0), b.dim(0)}, DType::F32);
        if (iou.count() > 0)
            cpu::boxIou(a.dim(0), b.dim(0), a.f32().data(), b.f32().data(), iou.f32().data());
        return iou;
    }

    Tensor matchBoxes(const MatchParams& p, const Tensor& boxes, const Tensor& anchors) override
    {
        const CpuContext::Timer timer(context_, "match boxes");
        requireBoxes("match boxes", boxes, 4, 2);
        requireBoxes("match boxes", anchors, 4, 2);
        SB_REQUIRE(p.low <= p.high, "match boxes: the lower threshold " + std::to_string(p.low) +
                                        " is above the upper " + std::to_string(p.high));
        const std::int64_t g = boxes.dim(0), n = anchors.dim(0);
        Tensor match = context_.make({n}, DType::I32);
        if (n > 0)
            cpu::matchBoxes(p, g, n, g > 0 ? boxes.f32().data() : nullptr, anchors.f32().data(),
                            match.i32().data(), nullptr,
                            context_.workspace(cpu::matchScratch(g, n)));
        return match;
    }

    Tensor nms(const NmsParams& p, const Tensor& boxes, const Tensor& scores,
               const Tensor& groups) override
    {
        const CpuContext::Timer timer(context_, "nms");
        requireBoxes("nms", boxes, 4, 2);
        const std::int64_t n = boxes.dim(0);
        requireVector("nms", scores, DType::F32, n);
        if (!groups.shape().empty())
            requireVector("nms", groups, DType::I32, n);
        if (n == 0)
            return context_.make({0}, DType::I32);
        Tensor keep = context_.make({n}, DType::I32);
        const std::int64_t kept =
            cpu::nms(p, n, boxes.f32().data(), scores.f32().data(), idsOrNull(groups),
                     keep.i32().data(), context_.workspace(cpu::nmsScratch(n)));
        if (kept == n)
            return keep;
        Tensor result = context_.make({kept}, DType::I32);
        std::copy_n(keep.i32().begin(), kept, result.i32().begin());
        return result;
    }

private:
    CpuContext& context_;
};

} // namespace

std::unique_ptr<DetectionOps> makeDetectionOps(CpuContext& context)
{
    return std::make_unique<CpuDetection>(context);
}

} // namespace scalebench::cpu_backend
