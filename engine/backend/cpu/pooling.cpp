// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include "kernels/avg_pool2d.h"
#include "kernels/elementwise.h"
#include "kernels/pool2d.h"
#include "kernels/resize2d.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

class CpuPooling final : public PoolingOps
{
public:
    explicit CpuPooling(CpuContext& context) : context_(context) {}

    Tensor maxPoolForward(const Tensor& input, int window, int stride, int padding,
                          bool needGradient, Tensor& argmax) override
    {
        const CpuContext::Timer timer(context_, "max pool forward");
        requireActivation("max pool", input, 4);
        const MaxPoolParams p = poolParams(input.shape(), window, stride, padding, input.dtype());
        Tensor output = context_.make({p.N, p.outH(), p.outW(), p.C}, p.dtype);
        if (needGradient)
            argmax = context_.make(output.shape(), DType::U8);
        cpu::maxPoolForward(p, input.data(), output.data(),
                            needGradient ? argmax.u8().data() : nullptr);
        return output;
    }

    Tensor maxPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                           const Tensor& gradOutput, const Tensor& argmax) override
    {
        const CpuContext::Timer timer(context_, "max pool backward");
        requireActivation("max pool backward", gradOutput, 4);
        const MaxPoolParams p = poolParams(inputShape, window, stride, padding, gradOutput.dtype());
        SB_REQUIRE(gradOutput.shape() == argmax.shape() &&
                       gradOutput.shape() == Shape({p.N, p.outH(), p.outW(), p.C}),
                   "max pool backward: gradient " + gradOutput.describe() +
                       " does not belong to an input " + toString(inputShape));
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cpu::maxPoolBackward(p, gradOutput.data(), argmax.u8().data(), gradInput.data());
        return gradInput;
    }

    Tensor avgPoolForward(const Tensor& input, int window, int stride, int padding,
                          bool countPadding) override
    {
        const CpuContext::Timer timer(context_, "average pool forward");
        requireActivation("average pool", input, 4);
        const AvgPoolParams p =
            averageParams(input.shape(), window, stride, padding, countPadding, input.dtype());
        Tensor output = context_.make({p.N, p.outH(), p.outW(), p.C}, p.dtype);
        cpu::avgPoolForward(p, input.data(), output.data());
        return output;
    }

    Tensor avgPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                           bool countPadding, const Tensor& gradOutput) override
    {
        const CpuContext::Timer timer(context_, "average pool backward");
        requireActivation("average pool backward", gradOutput, 4);
        const AvgPoolParams p =
            averageParams(inputShape, window, stride, padding, countPadding, gradOutput.dtype());
        SB_REQUIRE(gradOutput.shape() == Shape({p.N, p.outH(), p.outW(), p.C}),
                   "average pool backward: gradient " + gradOutput.describe() +
                       " does not belong to an input " + toString(inputShape));
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cpu::avgPoolBackward(p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

    Tensor globalAvgPoolForward(const Tensor& input) override
    {
        const CpuContext::Timer timer(context_, "average pool forward");
        requireActivation("global average pool", input, 4);
        const auto& s = input.shape();
        Tensor output = context_.make({s[0], s[3]}, input.dtype());
        cpu::globalAvgPoolForward({s[0], s[1], s[2], s[3], input.dtype()}, input.data(),
                                  output.data());
        return output;
    }

    Tensor globalAvgPoolBackward(const Shape& s, const Tensor& gradOutput) override
    {
        const CpuContext::Timer timer(context_, "average pool backward");
        requireActivation("global average pool backward", gradOutput, 2);
        Tensor gradInput = context_.make(s, gradOutput.dtype());
        cpu::globalAvgPoolBackward({s.at(0), s.at(1), s.at(2), s.at(3), gradOutput.dtype()},
                                   gradOutput.data(), gradInput.data());
        return gradInput;
    }

    Tensor shortcutPadForward(const Tensor& input, std::int64_t channels,
                              std::int64_t stride) override
    {
        const CpuContext::Timer timer(context_, "shortcut");
        requireActivation("shortcut", input, 4);
        const ShortcutPadParams p = shortcutParams(input.shape(), channels, stride, input.dtype());
        Tensor output = context_.make({p.N, p.outH(), p.outW(), p.K}, p.dtype);
        cpu::shortcutPadForward(p, input.data(), output.data());
        return output;
    }

    Tensor shortcutPadBackward(const Shape& inputShape, std::int64_t stride,
                               const Tensor& gradOutput) override
    {
        const CpuContext::Timer timer(context_, "shortcut");
        requireActivation("shortcut backward", gradOutput, 4);
        const ShortcutPadParams p =
            shortcutParams(inputShape, gradOutput.dim(3), stride, gradOutput.dtype());
        SB_REQUIRE(gradOutput.shape() == Shape({p.N, p.outH(), p.outW(), p.K}),
                   "shortcut backward: gradient " + gradOutput.describe() +
                       " does not belong to an input " + toString(inputShape));
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cpu::shortcutPadBackward(p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

    Tensor resizeForward(const Tensor& input, std::int64_t outH, std::int64_t outW,
                         ResizeMode mode) override
    {
        const CpuContext::Timer timer(context_, "resize forward");
        requireActivation("resize", input, 4);
        const Resize2dParams p = resizeParams(input.shape(), outH, outW, mode, input.dtype());
        Tensor output = context_.make({p.N, outH, outW, p.C}, p.dtype);
        cpu::resize2dForward(p, input.data(), output.data());
        return output;
    }

    Tensor resizeBackward(const Shape& inputShape, ResizeMode mode,
                          const Tensor& gradOutput) override
    {
        const CpuContext::Timer timer(context_, "resize backward");
        requireActivation("resize backward", gradOutput, 4);
        const Resize2dParams p = resizeParams(inputShape, gradOutput.dim(1), gradOutput.dim(2),
                                              mode, gradOutput.dtype());
        SB_REQUIRE(gradOutput.dim(0) == p.N && gradOutput.dim(3) == p.C,
                   "resize backward: gradient " + gradOutput.describe() +
                       " does not belong to an input " + toString(inputShape));
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cpu::resize2dBackward(p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

private:
    static AvgPoolParams averageParams(const Shape& s, int window, int stride, int padding,
                                       bool countPadding, DType dtype)
    {
        const AvgPoolParams p{s.at(0), s.at(1), s.at(2),      s.at(3), window,
                              stride,  padding, countPadding, dtype};
        SB_REQUIRE(window > 0 && stride > 0 && padding >= 0 && padding <= window / 2 &&
                       p.H + 2 * padding >= window && p.W + 2 * padding >= window,
                   "average pool of " + toString(s) + " with window " + std::to_string(window) +
                       ", stride " + std::to_string(stride) + ", padding " +
                       std::to_string(padding) + " is not possible");
        return p;
    }

    static Resize2dParams resizeParams(const Shape& s, std::int64_t outH, std::int64_t outW,
                                       ResizeMode mode, DType dtype)
    {
        SB_REQUIRE(s.at(1) > 0 && s.at(2) > 0 && outH > 0 && outW > 0,
                   "resize of " + toString(s) + " to " + std::to_string(outH) + "x" +
                       std::to_string(outW) + ": sizes must be positive");
        return {s[0], s[1], s[2], s[3], outH, outW, mode, dtype};
    }

    static MaxPoolParams poolParams(const Shape& s, int window, int stride, int padding,
                                    DType dtype)
    {
        const MaxPoolParams p{s.at(0), s.at(1), s.at(2), s.at(3), window, stride, padding, dtype};
        SB_REQUIRE(window > 0 && window <= 15 && stride > 0 && padding >= 0 && padding < window &&
                       p.H + 2 * padding >= window && p.W + 2 * padding >= window,
                   "max pool of " + toString(s) + " with window " + std::to_string(window) +
                       ", stride " + std::to_string(stride) + ", padding " +
                       std::to_string(padding) + " is not possible");
        return p;
    }

    static ShortcutPadParams shortcutParams(const Shape& s, std::int64_t channels,
                                            std::int64_t stride, DType dtype)
    {
        SB_REQUIRE(channels >= s.at(3) && stride >= 1, "shortcut of " + toString(s) + " to " +
                                                           std::to_string(channels) +
                                                           " channels: channels can only be added");
        return {s[0], s[1], s[2], s[3], channels, stride, dtype};
    }

    CpuContext& context_;
};

} // namespace

std::unique_ptr<PoolingOps> makePoolingOps(CpuContext& context)
{
    return std::make_unique<CpuPooling>(context);
}

} // namespace scalebench::cpu_backend
