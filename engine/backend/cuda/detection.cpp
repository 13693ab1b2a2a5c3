// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"

#include <limits>

#include "engine/backend/detection_arguments.h"
#include "kernels/cuda/boxes.h"
#include "kernels/cuda/roi_align.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

const std::int32_t* idsOrNull(const Tensor& t)
{
    return t.shape().empty() ? nullptr : at<const std::int32_t>(t);
}

class CudaDetection final : public DetectionOps
{
public:
    explicit CudaDetection(CudaContext& context) : context_(context) {}

    void roiAlignForward(const RoiAlignArgs& args, const Tensor& features, const Tensor& rois,
                         const Tensor& levelOf, Tensor output) override
    {
        const CudaContext::Timer timer(context_, "roi align forward");
        requireActivation("roi align", features, 4);
        requireRois("roi align", rois, levelOf);
        const auto p = roiAlignParams("roi align", args, features.shape(), rois, output);
        SB_REQUIRE(output.dtype() == features.dtype(), "roi align: " + output.describe() + " and " +
                                                           features.describe() +
                                                           " must have one type");
        if (output.count() == 0)
            return;
        SB_REQUIRE(features.count() > 0,
                   "roi align: regions of an empty map " + features.describe());
        cuda::roiAlignForward(p, features.data(), at<float>(rois), idsOrNull(levelOf),
                              context_.badIndex("roi align, image of a region"), output.data(),
                              context_.stream());
    }

    Tensor roiAlignBackward(const RoiAlignArgs& args, const Shape& featureShape,
                            const Tensor& gradOutput, const Tensor& rois,
                            const Tensor& levelOf) override
    {
        const CudaContext::Timer timer(context_, "roi align gradient");
        requireActivation("roi align gradient", gradOutput, 4);
        requireRois("roi align gradient", rois, levelOf);
        const auto p = roiAlignParams("roi align gradient", args, featureShape, rois, gradOutput);
        Tensor gradFeatures = context_.make(featureShape, p.dtype);
        if (gradFeatures.count() > 0)
            cuda::roiAlignBackward(p, gradOutput.data(), at<float>(rois), idsOrNull(levelOf),
                                   context_.badIndex("roi align gradient, image of a region"),
                                   gradFeatures.data(), context_.stream());
        return gradFeatures;
    }

    Tensor boxEncode(const BoxCodingParams& p, const Tensor& anchors, const Tensor& boxes) override
    {
        const CudaContext::Timer timer(context_, "box coding");
        requireBoxes("box encode", anchors, 4, 2);
        requireSame("box encode", anchors, boxes);
        Tensor deltas = context_.make(anchors.shape(), DType::F32);
        if (deltas.count() > 0)
            cuda::boxEncode(p, anchors.dim(0), at<float>(anchors), at<float>(boxes),
                            at<float>(deltas), context_.stream());
        return deltas;
    }

    Tensor boxDecode(const BoxCodingParams& p, const Tensor& anchors, const Tensor& deltas) override
    {
        const CudaContext::Timer timer(context_, "box coding");
        const std::int64_t classes = deltaClasses(anchors, deltas);
        Tensor boxes = context_.make(deltas.shape(), DType::F32);
        if (boxes.count() > 0)
            cuda::boxDecode(p, anchors.dim(0), classes, at<float>(anchors), at<float>(deltas),
                            at<float>(boxes), context_.stream());
        return boxes;
    }

    void clipBoxes(Tensor boxes, float width, float height) override
    {
        requireBoxes("clip boxes", boxes, 4, 0);
        requireImageSize(width, height);
        if (boxes.count() > 0)
            cuda::clipBoxes(boxes.count() / 4, width, height, at<float>(boxes), context_.stream());
    }

    Tensor boxIou(const Tensor& a, const Tensor& b) override
    {
        const CudaContext::Timer timer(context_, "box overlaps");
        requireBoxes("box overlaps", a, 4, 2);
        requireBoxes("box overlaps", b, 4, 2);
        Tensor iou = context_.make({a.dim(0), b.dim(0)}, DType::F32);
        if (iou.count() > 0)
            cuda::boxIou(a.dim(0), b.dim(0), at<float>(a), at<float>(b), at<float>(iou),
                         context_.stream());
        return iou;
    }

    Tensor matchBoxes(const MatchParams& p, const Tensor& boxes, const Tensor& anchors) override
    {
        const CudaContext::Timer timer(context_, "match boxes");
        requireMatch(p, boxes, anchors);
        const std::int64_t g = boxes.dim(0), n = anchors.dim(0);
        Tensor match = context_.make({n}, DType::I32);
        if (n > 0)
            cuda::matchBoxes(p, g, n, g > 0 ? at<float>(boxes) : nullptr, at<float>(anchors),
                             at<std::int32_t>(match), context_.workspace(cuda::matchScratch(g)),
                             context_.stream());
        return match;
    }

    Tensor nms(const NmsParams& p, const Tensor& boxes, const Tensor& scores,
               const Tensor& groups) override
    {
        const CudaContext::Timer timer(context_, "nms");
        requireNms(boxes, scores, groups);
        const std::int64_t n = boxes.dim(0);
        if (n > std::numeric_limits<std::int32_t>::max())
            throw Unsupported("nms: " + boxes.describe() + ": boxes are counted in 31 bits");
        if (n == 0)
            return context_.make({0}, DType::I32);
        Tensor keep = context_.make({n}, DType::I32);
        const Tensor counter = context_.make({1}, DType::I32);
        cuda::nms(p, n, at<float>(boxes), at<float>(scores), idsOrNull(groups),
                  at<std::int32_t>(keep), at<std::int32_t>(counter),
                  context_.workspace(cuda::nmsScratch(n)), context_.stream());
        std::int32_t kept = 0; // the caller needs the shape: the one wait of this family
        context_.download(counter.data(), &kept, sizeof kept);
        return keep.firstRows(kept);
    }

private:
    CudaContext& context_;
};

} // namespace

std::unique_ptr<DetectionOps> makeDetectionOps(CudaContext& context)
{
    return std::make_unique<CudaDetection>(context);
}

} // namespace scalebench::cuda_backend
