// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/matmul.h"

#include "kernels/check.h"

namespace scalebench::autograd {

Variable linear(Tape& tape, const Variable& input, const ParameterRef& weight,
                const ParameterRef& bias, const LinearArgs& args)
{
    Backend& backend = tape.backend();
    const Tensor& x = input.value();
    Tensor kept;
    Tensor y = backend.matmul().linearForward(args, x, {weight.value, weight.version}, bias.value,
                                              tape.recording() ? &kept : nullptr);
    if (!tape.recording())
        return Variable(std::move(y));
    tape.useParameter(weight.index);
    if (bias.defined())
        tape.useParameter(bias.index);
    return tape.record("linear", std::move(y), true,
                       [&tape, &backend, args, x, kept, slot = input.slot(), weight,
                        bias](std::vector<Tensor> grads) {
                           const Tensor dy = backend.elementwise().sum(std::move(grads));
                           Tensor dx = backend.matmul().linearBackward(
                               args, x, {weight.value, weight.version}, kept, dy, slot != nullptr,
                               {weight.gradient, bias.gradient, tape.accumulateInto(weight.index),
                                bias.defined() && tape.accumulateInto(bias.index)});
                           if (bias.defined())
                               tape.parameterReady(bias.index);
                           tape.parameterReady(weight.index);
                           Tape::addGradient(slot, std::move(dx));
                       });
}

Variable linearLike(Tape& tape, const Variable& input, const ParameterRef& weight,
                    const ParameterRef& bias, Activation activation)
{
    return linear(tape, input, weight, bias, {activation, input.value().dtype()});
}

Variable matmul(Tape& tape, const Variable& a, const Variable& b, bool transA, bool transB)
{
    Backend& backend = tape.backend();
    const Tensor &x = a.value(), &y = b.value();
    SB_REQUIRE(x.shape().size() == y.shape().size(), "matmul of " + x.describe() + " and " +
                                                         y.describe() +
                                                         ": both need the same number of axes");
    const DType type = x.dtype();
    Tensor c = backend.matmul().matmul({transA, transB, type}, x, y);
    return tape.record(
        "matmul", std::move(c), a.needsGradient() || b.needsGradient(),
        [&backend, x, y, transA, transB, type, sa = a.slot(),
         sb = b.slot()](std::vector<Tensor> grads) {
            const Tensor g = backend.elementwise().sum(std::move(grads));
            MatmulOps& ops = backend.matmul();
            // C = A B: dA = G B^T, dB = A^T G, each in the order its operand is stored.
            if (sa)
                Tape::addGradient(sa, transA ? ops.matmul({transB, true, type}, y, g)
                                             : ops.matmul({false, !transB, type}, g, y));
            if (sb)
                Tape::addGradient(sb, transB ? ops.matmul({true, transA, type}, g, x)
                                             : ops.matmul({!transA, false, type}, x, g));
        });
}

} // namespace scalebench::autograd
