// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Linear layers and products: what is checked, made and given back, the same on every device. The
// products, and the weight in the type that they want, are a device's own.

#include "engine/backend/matmul_arguments.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/activation_op.h"

namespace scalebench {

/// Device: its Context (make, Timer), requireActivation, and
///   LinearBackward   the operands of a backward pass, as kernels/linear.h names them
template <class Device>
class MatmulFamily : public MatmulOps
{
protected:
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;
    using LinearBackward = typename Device::LinearBackward;

public:
    explicit MatmulFamily(Context& context) : context_(context) {}

    Tensor linearForward(const LinearArgs& args, const Tensor& input, const WeightRef& weight,
                         const Tensor& bias, Tensor* kept) final
    {
        const Timer timer(context_, "linear forward");
        Device::requireActivation("linear", input, 0);
        const LinearParams p = linearParams(args, input, weight.value);
        if (bias.defined())
            requireChannels("linear bias", bias, p.out);
        timer.work(linearFlops(p), 0);
        Tensor output = context_.make(withLast(input.shape(), p.out), p.outputType);
        const bool apart = kept && activationKeepsInput(p.activation);
        if (apart)
            *kept = context_.make(output.shape(), p.outputType);
        else if (kept && p.activation != Activation::None)
            *kept = output;
        forward(p, input.data(), weight, bias.defined() ? bias.f32().data() : nullptr,
                apart ? kept->data() : nullptr, output);
        return output;
    }

    Tensor linearBackward(const LinearArgs& args, const Tensor& input, const WeightRef& weight,
                          const Tensor& kept, const Tensor& gradOutput, bool needInput,
                          const LinearGradients& gradients) final
    {
        const Timer timer(context_, "linear backward");
        Device::requireActivation("linear", input, 0);
        const LinearParams p = linearParams(args, input, weight.value);
        SB_REQUIRE(gradOutput.dtype() == p.outputType &&
                       gradOutput.shape() == withLast(input.shape(), p.out),
                   p.describe() + ": unexpected gradient " + gradOutput.describe());
        if (p.activation != Activation::None)
            requireSame("linear backward (kept)", kept, gradOutput);
        timer.work(linearFlops(p) * ((needInput ? 1 : 0) + (gradients.weight.defined() ? 1 : 0)),
                   0);
        LinearBackward b;
        b.x = input.data(), b.kept = kept.data(), b.dy = gradOutput.data();
        Tensor gradInput;
        if (needInput) {
            gradInput = context_.make(input.shape(), p.dtype);
            b.dx = gradInput.data();
        }
        if (gradients.weight.defined()) {
            requireChannels("linear weight gradient", gradients.weight, p.in * p.out);
            b.dw = gradients.weight.f32().data();
        }
        if (gradients.bias.defined()) {
            requireChannels("linear bias gradient", gradients.bias, p.out);
            b.db = gradients.bias.f32().data();
        }
        b.accumulateWeight = gradients.accumulateWeight;
        b.accumulateBias = gradients.accumulateBias;
        backward(p, weight, b);
        return gradInput;
    }

    Tensor matmul(const MatmulArgs& args, const Tensor& a, const Tensor& b) final
    {
        const Timer timer(context_, "matmul");
        Device::requireActivation("matmul", a, 0);
        Device::requireActivation("matmul", b, 0);
        const MatmulParams p = matmulParams(args, a, b);
        timer.work(
            2.0 * double(p.M) * double(p.N) * double(p.K) * double(p.outerBatch * p.innerBatch), 0);
        Tensor c = context_.make(matmulShape(args, a, p.N), p.outputType);
        product(p, a.data(), b.data(), c.data());
        return c;
    }

private:
    /// `kept` (may be null) gets the input of the activation.
    virtual void forward(const LinearParams& p, const void* x, const WeightRef& weight,
                         const float* bias, void* kept, const Tensor& output) = 0;
    /// `b` without the weight.
    virtual void backward(const LinearParams& p, const WeightRef& weight, LinearBackward b) = 0;
    virtual void product(const MatmulParams& p, const void* a, const void* b, void* c) = 0;

    static double linearFlops(const LinearParams& p)
    {
        return 2.0 * double(p.N) * double(p.in) * double(p.out);
    }

protected:
    Context& context_;
};

} // namespace scalebench
