// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/detection.h"

#include <algorithm>
#include <string>

#include "engine/backend/cpu/families.h"
#include "kernels/boxes.h"
#include "kernels/roi_align.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

const std::int32_t* idsOrNull(const Tensor& t)
{
    return t.shape().empty() ? nullptr : t.i32().data();
}

struct DetectionDevice {
    using Context = CpuContext;
    static constexpr auto requireActivation = cpu_backend::requireActivation;
    static constexpr auto boxEncode = cpu::boxEncode;
    static constexpr auto boxDecode = cpu::boxDecode;
    static constexpr auto clipBoxes = cpu::clipBoxes;
    static constexpr auto boxIou = cpu::boxIou;

    /// Also what they hold.
    static void requireImages(const char* op, const Tensor& rois, const Tensor& levelOf,
                              std::int64_t images)
    {
        requireRois(op, rois, levelOf);
        for (std::int64_t r = 0; r < rois.dim(0); ++r) {
            const float image = rois.f32()[std::size_t(r * 5)];
            SB_REQUIRE(image >= 0.0f && image < float(images),
                       std::string(op) + ": region " + std::to_string(r) + " is of image " +
                           std::to_string(image) + ", but there are " + std::to_string(images));
        }
    }

    static void roiAlign(CpuContext&, const RoiAlignParams& p, const Tensor& features,
                         const Tensor& rois, const Tensor& levelOf, const Tensor& output)
    {
        cpu::roiAlignForward(p, features.data(), rois.f32().data(), idsOrNull(levelOf),
                             output.data());
    }

    static void roiAlignGradient(CpuContext& context, const RoiAlignParams& p,
                                 const Tensor& gradOutput, const Tensor& rois,
                                 const Tensor& levelOf, const Tensor& gradFeatures)
    {
        cpu::roiAlignBackward(p, gradOutput.data(), rois.f32().data(), idsOrNull(levelOf),
                              gradFeatures.data(),
                              context.workspace(cpu::roiAlignBackwardScratch(p)));
    }

    static void match(CpuContext& context, const MatchParams& p, const Tensor& boxes,
                      const Tensor& anchors, const Tensor& matches)
    {
        const std::int64_t g = boxes.dim(0), n = anchors.dim(0);
        cpu::matchBoxes(p, g, n, g > 0 ? boxes.f32().data() : nullptr, anchors.f32().data(),
                        matches.i32().data(), nullptr, context.workspace(cpu::matchScratch(g, n)));
    }

    static Tensor nms(CpuContext& context, const NmsParams& p, const Tensor& boxes,
                      const Tensor& scores, const Tensor& groups, const Tensor& keep)
    {
        const std::int64_t n = boxes.dim(0);
        const std::int64_t kept =
            cpu::nms(p, n, boxes.f32().data(), scores.f32().data(), idsOrNull(groups),
                     keep.i32().data(), context.workspace(cpu::nmsScratch(n)));
        if (kept == n)
            return keep;
        Tensor result = context.make({kept}, DType::I32);
        std::copy_n(keep.i32().begin(), kept, result.i32().begin());
        return result;
    }
};

} // namespace

std::unique_ptr<DetectionOps> makeDetectionOps(CpuContext& context)
{
    return std::make_unique<DetectionFamily<DetectionDevice>>(context);
}

} // namespace scalebench::cpu_backend
