// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/elementwise.h"

#include <cstring>

#include "engine/backend/cpu/families.h"
#include "engine/backend/elementwise_arguments.h"
#include "kernels/activation_op.h"
#include "kernels/dropout.h"
#include "kernels/elementwise.h"

namespace scalebench::cpu_backend {
namespace cpu = kernels::cpu;

Tensor CpuElementwise::cast(const Tensor& input, DType dtype)
{
    if (input.dtype() == dtype)
        return input;
    const CpuContext::Timer timer(context_, "cast");
    requireActivation("cast", input, 0);
    if (dtype != DType::BF16 && dtype != DType::F32)
        throw Unsupported("cast " + input.describe() + " to " + dtypeName(dtype) +
                          ": only between f32 and bf16");
    Tensor output = context_.make(input.shape(), dtype);
    timer.work(0, double(input.bytes() + output.bytes()));
    if (dtype == DType::BF16)
        cpu::castF32ToBf16(input.count(), input.f32().data(), output.bf16().data());
    else
        cpu::castBf16ToF32(input.count(), input.bf16().data(), output.f32().data());
    return output;
}

Tensor CpuElementwise::sum(std::vector<Tensor> terms)
{
    SB_REQUIRE(!terms.empty(), "sum of no tensors");
    if (terms.size() == 1)
        return std::move(terms[0]);
    const CpuContext::Timer timer(context_, "sum");
    requireActivation("sum", terms[0], 0);
    timer.work(0, double(terms[0].bytes()) * double(terms.size() + 1));
    Tensor total = std::move(terms[0]);
    if (!total.unique()) {
        Tensor copy = context_.make(total.shape(), total.dtype());
        std::memcpy(copy.data(), total.data(), total.bytes());
        total = std::move(copy);
    }
    for (std::size_t i = 1; i < terms.size(); ++i) {
        requireSame("sum", total, terms[i]);
        cpu::addInPlace(total.dtype(), total.count(), terms[i].data(), total.data());
    }
    return total;
}

Tensor CpuElementwise::reluForward(const Tensor& input)
{
    return activationForward(Activation::Relu, input);
}

Tensor CpuElementwise::reluBackward(const Tensor& output, const Tensor& gradOutput)
{
    return activationBackward(Activation::Relu, output, gradOutput);
}

Tensor CpuElementwise::activationForward(Activation activation, const Tensor& input)
{
    const CpuContext::Timer timer(context_, activationName(activation));
    requireActivation(activationName(activation), input, 0);
    Tensor output = context_.make(input.shape(), input.dtype());
    cpu::activationForward(activation, input.dtype(), input.count(), input.data(), output.data());
    timer.work(0, 2.0 * double(input.bytes()));
    return output;
}

Tensor CpuElementwise::activationBackward(Activation activation, const Tensor& kept,
                                          const Tensor& gradOutput)
{
    const CpuContext::Timer timer(context_, "activation backward");
    requireActivation("activation backward", kept, 0);
    requireSame("activation backward", kept, gradOutput);
    Tensor gradInput = context_.make(kept.shape(), kept.dtype());
    timer.work(0, 3.0 * double(kept.bytes()));
    cpu::activationBackward(activation, kept.dtype(), kept.count(), kept.data(), gradOutput.data(),
                            gradInput.data());
    return gradInput;
}

Tensor CpuElementwise::binaryForward(BinaryOp op, const Tensor& a, const Tensor& b)
{
    const CpuContext::Timer timer(context_, binaryOpName(op));
    requireActivation(binaryOpName(op), a, 0);
    const BroadcastParams p = broadcastParams(op, a, b);
    Tensor output = context_.make(broadcastShape(a, b), a.dtype());
    cpu::binaryForward(p, a.data(), b.data(), output.data());
    timer.work(0, double(a.bytes() + b.bytes() + output.bytes()));
    return output;
}

Tensor CpuElementwise::binaryBackward(BinaryOp op, bool ofB, const Tensor& a, const Tensor& b,
                                      const Tensor& gradOutput)
{
    const CpuContext::Timer timer(context_, "binary backward");
    requireActivation(binaryOpName(op), a, 0);
    const BroadcastParams p = broadcastParams(op, a, b);
    requireBinaryGradient(op, a, b, gradOutput);
    const Shape& shape = gradOutput.shape();
    const Tensor& operand = ofB ? b : a;
    if (operand.shape() == shape) {
        Tensor gradient = context_.make(shape, a.dtype());
        cpu::binaryBackward(p, ofB, a.data(), b.data(), gradOutput.data(), a.dtype() == DType::F32,
                            gradient.data());
        return gradient;
    }
    // The gradient of a repeated operand is summed, from unrounded terms.
    const Tensor terms = context_.make(shape, DType::F32);
    cpu::binaryBackward(p, ofB, a.data(), b.data(), gradOutput.data(), true, terms.data());
    const std::vector<int> axes = repeatedAxes(operand.shape(), shape);
    if (axes.empty()) // leading axes of size 1 only
        return cast(terms.reshaped(operand.shape()), operand.dtype());
    return reduceForward(ReduceOp::Sum, terms, axes, true, operand.dtype(), nullptr)
        .reshaped(operand.shape());
}

Tensor CpuElementwise::scale(const Tensor& input, float factor)
{
    const CpuContext::Timer timer(context_, "scale");
    requireActivation("scale", input, 0);
    Tensor output = context_.make(input.shape(), input.dtype());
    cpu::scaleForward(input.dtype(), input.count(), factor, input.data(), output.data());
    timer.work(0, 2.0 * double(input.bytes()));
    return output;
}

Tensor CpuElementwise::dropout(const Tensor& input, const DropoutArgs& args)
{
    const CpuContext::Timer timer(context_, "dropout");
    requireActivation("dropout", input, 0);
    const DropoutParams p = dropoutParams("dropout", input, args);
    Tensor output = context_.make(input.shape(), input.dtype());
    cpu::dropout(p, input.data(), output.data());
    timer.work(0, 2.0 * double(input.bytes()));
    return output;
}

Tensor CpuElementwise::dropoutAdd(const Tensor& input, const Tensor& residual,
                                  const DropoutArgs& args)
{
    const CpuContext::Timer timer(context_, "dropout");
    requireActivation("dropout with residual", input, 0);
    const DropoutParams p = dropoutParams("dropout with residual", input, args);
    requireSame("dropout with residual", input, residual);
    Tensor output = context_.make(input.shape(), input.dtype());
    cpu::dropoutAdd(p, input.data(), residual.data(), output.data());
    timer.work(0, 3.0 * double(input.bytes()));
    return output;
}

std::unique_ptr<ElementwiseOps> makeElementwiseOps(CpuContext& context)
{
    return std::make_unique<CpuElementwise>(context);
}

} // namespace scalebench::cpu_backend
