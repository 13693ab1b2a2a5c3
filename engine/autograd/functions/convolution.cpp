// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/convolution.h"

#include "kernels/check.h"

namespace scalebench::autograd {

Variable conv2d(Tape& tape, const Variable& input, const ParameterRef& weight, int stride,
                int padding)
{
    const Tensor& x = input.value();
    SB_REQUIRE(x.shape().size() == 4 && weight.value.shape().size() == 4,
               "conv2d: input " + x.describe() + " and weight " + weight.value.describe() +
                   " must have 4 axes");
    Conv2dParams p;
    p.N = x.dim(0), p.H = x.dim(1), p.W = x.dim(2), p.C = x.dim(3);
    p.K = weight.value.dim(0), p.R = weight.value.dim(2), p.S = weight.value.dim(3);
    p.stride = stride, p.padding = padding;
    p.dtype = x.dtype();
    Backend& backend = tape.backend();
    Tensor y = backend.convolution().conv2dForward(p, x, {weight.value, weight.version});
    if (!tape.recording())
        return Variable(std::move(y));
    return tape.record(
        "conv2d", std::move(y), true,
        [&tape, &backend, p, x, slot = input.slot(), weight](std::vector<Tensor> grads) {
            const Tensor dy = backend.elementwise().sum(std::move(grads));
            backend.convolution().conv2dBackwardWeight(p, x, dy, weight.gradient,
                                                       tape.accumulate());
            tape.parameterReady(weight.index);
            if (slot)
                Tape::addGradient(slot, backend.convolution().conv2dBackwardData(
                                            p, dy, {weight.value, weight.version}));
        });
}

} // namespace scalebench::autograd
