// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/matmul.h"

#include "kernels/check.h"

namespace scalebench::autograd {

Variable linear(Tape& tape, const Variable& input, const ParameterRef& weight,
                const ParameterRef& bias)
{
    Backend& backend = tape.backend();
    const Tensor& x = input.value();
    Tensor y = backend.matmul().linearForward(x, {weight.value, weight.version}, bias.value);
    if (!tape.recording())
        return Variable(std::move(y));
    return tape.record(
        "linear", std::move(y), true,
        [&tape, &backend, x, slot = input.slot(), weight, bias](std::vector<Tensor> grads) {
            const Tensor dy = backend.elementwise().sum(std::move(grads));
            Tensor dx =
                backend.matmul().linearBackward(x, {weight.value, weight.version}, dy,
                                                weight.gradient, bias.gradient, tape.accumulate());
            if (bias.defined())
                tape.parameterReady(bias.index);
            tape.parameterReady(weight.index);
            Tape::addGradient(slot, std::move(dx));
        });
}

} // namespace scalebench::autograd
