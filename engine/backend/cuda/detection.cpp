// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/detection.h"

#include <limits>

#include "engine/backend/cuda/families.h"
#include "kernels/cuda/boxes.h"
#include "kernels/cuda/roi_align.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

const std::int32_t* idsOrNull(const Tensor& t)
{
    return t.shape().empty() ? nullptr : at<const std::int32_t>(t);
}

struct DetectionDevice {
    using Context = CudaContext;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    static constexpr auto boxEncode = cuda::boxEncode;
    static constexpr auto boxDecode = cuda::boxDecode;
    static constexpr auto clipBoxes = cuda::clipBoxes;
    static constexpr auto boxIou = cuda::boxIou;

    /// Numbers of images are the kernel's to check.
    static void requireImages(const char* op, const Tensor& rois, const Tensor& levelOf,
                              std::int64_t)
    {
        requireRois(op, rois, levelOf);
    }

    static void roiAlign(CudaContext& context, const RoiAlignParams& p, const Tensor& features,
                         const Tensor& rois, const Tensor& levelOf, const Tensor& output)
    {
        cuda::roiAlignForward(p, features.data(), at<float>(rois), idsOrNull(levelOf),
                              context.badIndex("roi align, image of a region"), output.data(),
                              context.stream());
    }

    static void roiAlignGradient(CudaContext& context, const RoiAlignParams& p,
                                 const Tensor& gradOutput, const Tensor& rois,
                                 const Tensor& levelOf, const Tensor& gradFeatures)
    {
        cuda::roiAlignBackward(p, gradOutput.data(), at<float>(rois), idsOrNull(levelOf),
                               context.badIndex("roi align gradient, image of a region"),
                               gradFeatures.data(), context.stream());
    }

    static void match(CudaContext& context, const MatchParams& p, const Tensor& boxes,
                      const Tensor& anchors, const Tensor& matches)
    {
        const std::int64_t g = boxes.dim(0);
        cuda::matchBoxes(p, g, anchors.dim(0), g > 0 ? at<float>(boxes) : nullptr,
                         at<float>(anchors), at<std::int32_t>(matches),
                         context.workspace(cuda::matchScratch(g)), context.stream());
    }

    static Tensor nms(CudaContext& context, const NmsParams& p, const Tensor& boxes,
                      const Tensor& scores, const Tensor& groups, const Tensor& keep)
    {
        const std::int64_t n = boxes.dim(0);
        if (n > std::numeric_limits<std::int32_t>::max())
            throw Unsupported("nms: " + boxes.describe() + ": boxes are counted in 31 bits");
        const Tensor counter = context.make({1}, DType::I32);
        cuda::nms(p, n, at<float>(boxes), at<float>(scores), idsOrNull(groups),
                  at<std::int32_t>(keep), at<std::int32_t>(counter),
                  context.workspace(cuda::nmsScratch(n)), context.stream());
        std::int32_t kept = 0; // the caller needs the shape: the one wait of this family
        context.download(counter.data(), &kept, sizeof kept);
        return keep.firstRows(kept);
    }
};

} // namespace

std::unique_ptr<DetectionOps> makeDetectionOps(CudaContext& context)
{
    return std::make_unique<DetectionFamily<DetectionDevice>>(context);
}

} // namespace scalebench::cuda_backend
