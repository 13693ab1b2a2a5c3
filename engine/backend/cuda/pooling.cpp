// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"

#include "engine/backend/pooling_arguments.h"
#include "kernels/cuda/elementwise.h"
#include "kernels/cuda/pool2d.h"
#include "kernels/cuda/resize2d.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

class CudaPooling final : public PoolingOps
{
public:
    explicit CudaPooling(CudaContext& context) : context_(context) {}

    Tensor maxPoolForward(const Tensor& input, int window, int stride, int padding,
                          bool needGradient, Tensor& argmax) override
    {
        const CudaContext::Timer timer(context_, "max pool forward");
        requireActivation("max pool", input, 4);
        const MaxPoolParams p =
            maxPoolParams(input.shape(), window, stride, padding, input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        if (needGradient)
            argmax = context_.make(output.shape(), DType::U8);
        cuda::maxPoolForward(p, input.data(), output.data(),
                             needGradient ? argmax.u8().data() : nullptr, context_.stream());
        return output;
    }

    Tensor maxPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                           const Tensor& gradOutput, const Tensor& argmax) override
    {
        const CudaContext::Timer timer(context_, "max pool backward");
        requireActivation("max pool backward", gradOutput, 4);
        const MaxPoolParams p =
            maxPoolParams(inputShape, window, stride, padding, gradOutput.dtype());
        requirePoolGradient("max pool", gradOutput, outputShape(p), inputShape);
        requirePoolGradient("max pool", argmax, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cuda::maxPoolBackward(p, gradOutput.data(), argmax.u8().data(), gradInput.data(),
                              context_.stream());
        return gradInput;
    }

    Tensor avgPoolForward(const Tensor& input, int window, int stride, int padding,
                          bool countPadding) override
    {
        const CudaContext::Timer timer(context_, "average pool forward");
        requireActivation("average pool", input, 4);
        const AvgPoolParams p =
            avgPoolParams(input.shape(), window, stride, padding, countPadding, input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        cuda::avgPoolForward(p, input.data(), output.data(), context_.stream());
        return output;
    }

    Tensor avgPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                           bool countPadding, const Tensor& gradOutput) override
    {
        const CudaContext::Timer timer(context_, "average pool backward");
        requireActivation("average pool backward", gradOutput, 4);
        const AvgPoolParams p =
            avgPoolParams(inputShape, window, stride, padding, countPadding, gradOutput.dtype());
        requirePoolGradient("average pool", gradOutput, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cuda::avgPoolBackward(p, gradOutput.data(), gradInput.data(), context_.stream());
        return gradInput;
    }

    Tensor globalAvgPoolForward(const Tensor& input) override
    {
        const CudaContext::Timer timer(context_, "average pool forward");
        requireActivation("global average pool", input, 4);
        const GlobalAvgPoolParams p = globalAvgPoolParams(input.shape(), input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        cuda::globalAvgPoolForward(p, input.data(), output.data(),
                                   context_.workspace(cuda::globalAvgPoolScratchBytes(p)),
                                   context_.stream());
        return output;
    }

    Tensor globalAvgPoolBackward(const Shape& inputShape, const Tensor& gradOutput) override
    {
        const CudaContext::Timer timer(context_, "average pool backward");
        requireActivation("global average pool backward", gradOutput, 2);
        const GlobalAvgPoolParams p = globalAvgPoolParams(inputShape, gradOutput.dtype());
        requirePoolGradient("global average pool", gradOutput, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cuda::globalAvgPoolBackward(p, gradOutput.data(), gradInput.data(), context_.stream());
        return gradInput;
    }

    Tensor shortcutPadForward(const Tensor& input, std::int64_t channels,
                              std::int64_t stride) override
    {
        const CudaContext::Timer timer(context_, "shortcut");
        requireActivation("shortcut", input, 4);
        const ShortcutPadParams p =
            shortcutPadParams(input.shape(), channels, stride, input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        cuda::shortcutPadForward(p, input.data(), output.data(), context_.stream());
        return output;
    }

    Tensor shortcutPadBackward(const Shape& inputShape, std::int64_t stride,
                               const Tensor& gradOutput) override
    {
        const CudaContext::Timer timer(context_, "shortcut");
        requireActivation("shortcut backward", gradOutput, 4);
        const ShortcutPadParams p =
            shortcutPadParams(inputShape, gradOutput.dim(3), stride, gradOutput.dtype());
        requirePoolGradient("shortcut", gradOutput, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cuda::shortcutPadBackward(p, gradOutput.data(), gradInput.data(), context_.stream());
        return gradInput;
    }

    Tensor resizeForward(const Tensor& input, std::int64_t outH, std::int64_t outW,
                         ResizeMode mode) override
    {
        const CudaContext::Timer timer(context_, "resize forward");
        requireActivation("resize", input, 4);
        const Resize2dParams p = resizeParams(input.shape(), outH, outW, mode, input.dtype());
        Tensor output = context_.make(outputShape(p), p.dtype);
        cuda::resize2dForward(p, input.data(), output.data(), context_.stream());
        return output;
    }

    Tensor resizeBackward(const Shape& inputShape, ResizeMode mode,
                          const Tensor& gradOutput) override
    {
        const CudaContext::Timer timer(context_, "resize backward");
        requireActivation("resize backward", gradOutput, 4);
        const Resize2dParams p = resizeParams(inputShape, gradOutput.dim(1), gradOutput.dim(2),
                                              mode, gradOutput.dtype());
        requirePoolGradient("resize", gradOutput, outputShape(p), inputShape);
        Tensor gradInput = context_.make(inputShape, p.dtype);
        cuda::resize2dBackward(p, gradOutput.data(), gradInput.data(), context_.stream());
        return gradInput;
    }

private:
    CudaContext& context_;
};

} // namespace

std::unique_ptr<PoolingOps> makePoolingOps(CudaContext& context)
{
    return std::make_unique<CudaPooling>(context);
}

} // namespace scalebench::cuda_backend
