// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/backend/cpu/families.h"
#include "engine/backend/detection_arguments.h"
#include "kernels/roi_align.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

const std::int32_t* idsOrNull(const Tensor& t)
{
    return t.shape().empty() ? nullptr : t.i32().data();
}

/// Also what they hold.
void requireImages(const char* op, const Tensor& rois, const Tensor& levelOf, std::int64_t images)
{
    requireRois(op, rois, levelOf);
    for (std::int64_t r = 0; r < rois.dim(0); ++r) {
        const float image = rois.f32()[std::size_t(r * 5)];
        SB_REQUIRE(image >= 0.0f && image < float(images),
                   std::string(op) + ": region " + std::to_string(r) + " is of image " +
                       std::to_string(image) + ", but there are " + std::to_string(images));
    }
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
        requireImages("roi align", rois, levelOf, features.dim(0));
        const auto p = roiAlignParams("roi align", args, features.shape(), rois, output);
        SB_REQUIRE(output.dtype() == features.dtype(), "roi align: " + output.describe() + " and " +
                                                           features.describe() +
                                                           " must have one type");
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
        requireImages("roi align gradient", rois, levelOf,
                      featureShape.empty() ? 0 : featureShape[0]);
        const auto p = roiAlignParams("roi align gradient", args, featureShape, rois, gradOutput);
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
        const std::int64_t classes = deltaClasses(anchors, deltas);
        Tensor boxes = context_.make(deltas.shape(), DType::F32);
        if (boxes.count() > 0)
            cpu::boxDecode(p, anchors.dim(0), classes, anchors.f32().data(), deltas.f32().data(),
                           boxes.f32().data());
        return boxes;
    }

    void clipBoxes(Tensor boxes, float width, float height) override
    {
        requireBoxes("clip boxes", boxes, 4, 0);
        requireImageSize(width, height);
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
        requireMatch(p, boxes, anchors);
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
        requireNms(boxes, scores, groups);
        const std::int64_t n = boxes.dim(0);
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
