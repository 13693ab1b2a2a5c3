// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pooling, shortcuts and resizing, the same on every device but for the kernels.

#include "engine/backend/ops/pooling_ops.h"
#include "engine/backend/pooling_arguments.h"

namespace scalebench {

/// Device: its Context (make, workspace, launch, Timer), requireActivation, and the kernels by
/// name.
template <class Device>
class PoolingFamily final : public PoolingOps
{
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;

public:
    explicit PoolingFamily(Context& context) : context_(context) {}

    Tensor maxPoolForward(const Tensor& input, int window, int stride, int padding,
                          bool needGradient, Tensor& argmax) override
    {
        const Timer timer(context_, "max pool forward");
        Device::requireActivation("max pool", input, 4);
        const MaxPoolParams p =
            maxPoolParams(input.shape(), window, stride, padding, input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        if (needGradient)
            argmax = context_.make(output.shape(), DType::U8);
        context_.launch(Device::maxPoolForward, p, input.data(), output.data(),
                        needGradient ? argmax.u8().data() : nullptr);
        return output;
    }

    Tensor maxPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                           const Tensor& gradOutput, const Tensor& argmax) override
    {
        const Timer timer(context_, "max pool backward");
        Device::requireActivation("max pool backward", gradOutput, 4);
        const MaxPoolParams p =
            maxPoolParams(inputShape, window, stride, padding, gradOutput.dtype());
        requirePoolGradient("max pool", gradOutput, outputShape(p), inputShape);
        requirePoolGradient("max pool", argmax, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        context_.launch(Device::maxPoolBackward, p, gradOutput.data(), argmax.u8().data(),
                        gradInput.data());
        return gradInput;
    }

    Tensor avgPoolForward(const Tensor& input, int window, int stride, int padding,
                          bool countPadding) override
    {
        const Timer timer(context_, "average pool forward");
        Device::requireActivation("average pool", input, 4);
        const AvgPoolParams p =
            avgPoolParams(input.shape(), window, stride, padding, countPadding, input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        context_.launch(Device::avgPoolForward, p, input.data(), output.data());
        return output;
    }

    Tensor avgPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                           bool countPadding, const Tensor& gradOutput) override
    {
        const Timer timer(context_, "average pool backward");
        Device::requireActivation("average pool backward", gradOutput, 4);
        const AvgPoolParams p =
            avgPoolParams(inputShape, window, stride, padding, countPadding, gradOutput.dtype());
        requirePoolGradient("average pool", gradOutput, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        context_.launch(Device::avgPoolBackward, p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

    Tensor globalAvgPoolForward(const Tensor& input) override
    {
        const Timer timer(context_, "average pool forward");
        Device::requireActivation("global average pool", input, 4);
        const GlobalAvgPoolParams p = globalAvgPoolParams(input.shape(), input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        if constexpr (requires { Device::globalAvgPoolScratchBytes(p); })
            context_.launch(Device::globalAvgPoolForward, p, input.data(), output.data(),
                            context_.workspace(Device::globalAvgPoolScratchBytes(p)));
        else
            context_.launch(Device::globalAvgPoolForward, p, input.data(), output.data());
        return output;
    }

    Tensor globalAvgPoolBackward(const Shape& inputShape, const Tensor& gradOutput) override
    {
        const Timer timer(context_, "average pool backward");
        Device::requireActivation("global average pool backward", gradOutput, 2);
        const GlobalAvgPoolParams p = globalAvgPoolParams(inputShape, gradOutput.dtype());
        requirePoolGradient("global average pool", gradOutput, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        context_.launch(Device::globalAvgPoolBackward, p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

    Tensor shortcutPadForward(const Tensor& input, std::int64_t channels,
                              std::int64_t stride) override
    {
        const Timer timer(context_, "shortcut");
        Device::requireActivation("shortcut", input, 4);
        const ShortcutPadParams p =
            shortcutPadParams(input.shape(), channels, stride, input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        context_.launch(Device::shortcutPadForward, p, input.data(), output.data());
        return output;
    }

    Tensor shortcutPadBackward(const Shape& inputShape, std::int64_t stride,
                               const Tensor& gradOutput) override
    {
        const Timer timer(context_, "shortcut");
        Device::requireActivation("shortcut backward", gradOutput, 4);
        const ShortcutPadParams p =
            shortcutPadParams(inputShape, gradOutput.dim(3), stride, gradOutput.dtype());
        requirePoolGradient("shortcut", gradOutput, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        context_.launch(Device::shortcutPadBackward, p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

    Tensor resizeForward(const Tensor& input, std::int64_t outH, std::int64_t outW,
                         ResizeMode mode) override
    {
        const Timer timer(context_, "resize forward");
        Device::requireActivation("resize", input, 4);
        const Resize2dParams p = resizeParams(input.shape(), outH, outW, mode, input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        context_.launch(Device::resize2dForward, p, input.data(), output.data());
        return output;
    }

    Tensor resizeBackward(const Shape& inputShape, ResizeMode mode,
                          const Tensor& gradOutput) override
    {
        const Timer timer(context_, "resize backward");
        Device::requireActivation("resize backward", gradOutput, 4);
        const Resize2dParams p = resizeParams(inputShape, gradOutput.dim(1), gradOutput.dim(2),
                                              mode, gradOutput.dtype());
        requirePoolGradient("resize", gradOutput, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        context_.launch(Device::resize2dBackward, p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

private:
    Context& context_;
};

} // namespace scalebench
