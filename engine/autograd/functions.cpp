// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions.h"

#include "kernels/check.h"

// Each backward captures handles (cheap) of exactly what it needs; the tape drops them when it has
// run. Tape and backend are captured by address: both outlive the nodes.

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
    Tensor y = backend.conv2dForward(p, x, {weight.value, weight.version});
    if (!tape.recording())
        return Variable(std::move(y));
    return tape.record(
        "conv2d", std::move(y), true,
        [&tape, &backend, p, x, slot = input.slot(), weight](std::vector<Tensor> grads) {
            const Tensor dy = backend.sum(std::move(grads));
            backend.conv2dBackwardWeight(p, x, dy, weight.gradient, tape.accumulate());
            tape.parameterReady(weight.index);
            if (slot)
                Tape::addGradient(
                    slot, backend.conv2dBackwardData(p, dy, {weight.value, weight.version}));
        });
}

Variable batchNorm(Tape& tape, const BatchNormArgs& args, const Variable& input,
                   const Variable& residual, const ParameterRef& gamma, const ParameterRef& beta,
                   const Tensor& runningMean, const Tensor& runningVar, bool training,
                   const StatReducer& reducer)
{
    Backend& backend = tape.backend();
    const Tensor& x = input.value();
    const Tensor& z = residual.value();
    if (!training) {
        SB_REQUIRE(!tape.recording(), "batch norm with running statistics has no backward: use "
                                      "an inference tape");
        return Variable(backend.batchNormInference(args, x, z, gamma.value, beta.value, runningMean,
                                                   runningVar));
    }
    BatchNormSaved saved;
    Tensor y = backend.batchNormForward(args, x, z, gamma.value, beta.value, runningMean,
                                        runningVar, reducer, saved);
    if (!tape.recording())
        return Variable(std::move(y));
    const bool hasResidual = z.defined();
    // The output is read back only for the ReLU of a residual sum; else the input tells as much.
    Tensor kept = args.relu && hasResidual ? y : Tensor();
    return tape.record(
        "batch norm", std::move(y), true,
        [&tape, &backend, args, x, kept, hasResidual, inSlot = input.slot(),
         resSlot = residual.slot(), gamma, beta, saved, reducer](std::vector<Tensor> grads) {
            auto g = backend.batchNormBackward(args, x, kept, hasResidual, std::move(grads),
                                               gamma.value, beta.value, saved, reducer,
                                               gamma.gradient, beta.gradient, tape.accumulate());
            tape.parameterReady(beta.index);
            tape.parameterReady(gamma.index);
            Tape::addGradient(inSlot, std::move(g.input));
            if (hasResidual)
                Tape::addGradient(resSlot, std::move(g.residual));
        });
}

Variable linear(Tape& tape, const Variable& input, const ParameterRef& weight,
                const ParameterRef& bias)
{
    Backend& backend = tape.backend();
    const Tensor& x = input.value();
    Tensor y = backend.linearForward(x, {weight.value, weight.version}, bias.value);
    if (!tape.recording())
        return Variable(std::move(y));
    return tape.record(
        "linear", std::move(y), true,
        [&tape, &backend, x, slot = input.slot(), weight, bias](std::vector<Tensor> grads) {
            const Tensor dy = backend.sum(std::move(grads));
            Tensor dx = backend.linearBackward(x, {weight.value, weight.version}, dy,
                                               weight.gradient, bias.gradient, tape.accumulate());
            if (bias.defined())
                tape.parameterReady(bias.index);
            tape.parameterReady(weight.index);
            Tape::addGradient(slot, std::move(dx));
        });
}

Variable maxPool(Tape& tape, const Variable& input, int window, int stride, int padding)
{
    Backend& backend = tape.backend();
    const bool needs = tape.recording() && input.needsGradient();
    Tensor argmax;
    Tensor y = backend.maxPoolForward(input.value(), window, stride, padding, needs, argmax);
    return tape.record(
        "max pool", std::move(y), needs,
        [&backend, shape = input.value().shape(), slot = input.slot(), argmax, window, stride,
         padding](std::vector<Tensor> grads) {
            Tape::addGradient(slot, backend.maxPoolBackward(shape, window, stride, padding,
                                                            backend.sum(std::move(grads)), argmax));
        });
}

Variable globalAvgPool(Tape& tape, const Variable& input)
{
    Backend& backend = tape.backend();
    return tape.record(
        "average pool", backend.globalAvgPoolForward(input.value()), input.needsGradient(),
        [&backend, shape = input.value().shape(), slot = input.slot()](std::vector<Tensor> grads) {
            Tape::addGradient(slot,
                              backend.globalAvgPoolBackward(shape, backend.sum(std::move(grads))));
        });
}

Variable shortcutPad(Tape& tape, const Variable& input, std::int64_t channels, std::int64_t stride)
{
    Backend& backend = tape.backend();
    return tape.record(
        "shortcut", backend.shortcutPadForward(input.value(), channels, stride),
        input.needsGradient(),
        [&backend, shape = input.value().shape(), slot = input.slot(),
         stride](std::vector<Tensor> grads) {
            Tape::addGradient(
                slot, backend.shortcutPadBackward(shape, stride, backend.sum(std::move(grads))));
        });
}

Variable relu(Tape& tape, const Variable& input)
{
    Backend& backend = tape.backend();
    Tensor y = backend.reluForward(input.value());
    return tape.record("relu", y, input.needsGradient(),
                       [&backend, y, slot = input.slot()](std::vector<Tensor> grads) {
                           Tape::addGradient(
                               slot, backend.reluBackward(y, backend.sum(std::move(grads))));
                       });
}

Variable add(Tape& tape, const Variable& a, const Variable& b)
{
    Backend& backend = tape.backend();
    Tensor y = backend.sum({a.value(), b.value()});
    return tape.record("add", std::move(y), a.needsGradient() || b.needsGradient(),
                       [&backend, sa = a.slot(), sb = b.slot()](std::vector<Tensor> grads) {
                           const Tensor dy = backend.sum(std::move(grads));
                           Tape::addGradient(sa, dy);
                           Tape::addGradient(sb, dy);
                       });
}

} // namespace scalebench::autograd
