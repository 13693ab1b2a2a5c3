// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"

#include <limits>

#include "kernels/cuda/boxes.h"
#include "kernels/cuda/roi_align.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

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

template <class T>
T* at(const Tensor& t)
{
    return static_cast<T*>(t.data());
}

const std::int32_t* idsOrNull(const Tensor& t)
{
    return t.shape().empty() ? nullptr : at<const std::int32_t>(t);
}

void requireRois(const char* op, const Tensor& rois, const Tensor& levelOf)
{
    requireBoxes(op, rois, 5, 2);
    if (!levelOf.shape().empty())
        requireVector(op, levelOf, DType::I32, rois.dim(0));
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
        const auto p = roiParams(args, features.shape(), features.dtype(), rois.dim(0));
        SB_REQUIRE(output.shape() == Shape({p.rois, p.outH, p.outW, p.C}) &&
                       output.dtype() == p.dtype,
                   "roi align: the output " + output.describe() + " does not fit to features " +
                       features.describe() + " and regions " + rois.describe());
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
        SB_REQUIRE(featureShape.size() == 4,
                   "roi align gradient: features " + toString(featureShape) + " must have 4 axes");
        requireRois("roi align gradient", rois, levelOf);
        const auto p = roiParams(args, featureShape, gradOutput.dtype(), rois.dim(0));
        SB_REQUIRE(gradOutput.shape() == Shape({p.rois, p.outH, p.outW, p.C}),
                   "roi align gradient: " + gradOutput.describe() + " does not fit to features " +
                       toString(featureShape) + " and regions " + rois.describe());
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
        requireBoxes("box decode", anchors, 4, 2);
        requireBoxes("box decode", deltas, 4, 0);
        const std::size_t rank = deltas.shape().size();
        SB_REQUIRE((rank == 2 || rank == 3) && deltas.dim(0) == anchors.dim(0),
                   "box decode: deltas " + deltas.describe() + " do not fit to anchors " +
                       anchors.describe());
        Tensor boxes = context_.make(deltas.shape(), DType::F32);
        if (boxes.count() > 0)
            cuda::boxDecode(p, anchors.dim(0), rank == 3 ? deltas.dim(1) : 1, at<float>(anchors),
                            at<float>(deltas), at<float>(boxes), context_.stream());
        return boxes;
    }

    void clipBoxes(Tensor boxes, float width, float height) override
    {
        requireBoxes("clip boxes", boxes, 4, 0);
        SB_REQUIRE(width >= 0.0f && height >= 0.0f, "clip boxes: the image is " +
                                                        std::to_string(width) + "x" +
                                                        std::to_string(height));
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
        requireBoxes("match boxes", boxes, 4, 2);
        requireBoxes("match boxes", anchors, 4, 2);
        SB_REQUIRE(p.low <= p.high, "match boxes: the lower threshold " + std::to_string(p.low) +
                                        " is above the upper " + std::to_string(p.high));
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
        requireBoxes("nms", boxes, 4, 2);
        const std::int64_t n = boxes.dim(0);
        requireVector("nms", scores, DType::F32, n);
        if (!groups.shape().empty())
            requireVector("nms", groups, DType::I32, n);
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
