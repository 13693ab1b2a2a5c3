// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/pooling.h"

#include "kernels/check.h"

namespace scalebench::autograd {

Variable maxPool(Tape& tape, const Variable& input, int window, int stride, int padding)
{
    Backend& backend = tape.backend();
    const bool needs = tape.recording() && input.needsGradient();
    Tensor argmax;
    Tensor y =
        backend.pooling().maxPoolForward(input.value(), window, stride, padding, needs, argmax);
    return tape.record("max pool", std::move(y), needs,
                       [&backend, shape = input.value().shape(), slot = input.slot(), argmax,
                        window, stride, padding](std::vector<Tensor> grads) {
                           Tape::addGradient(slot, backend.pooling().maxPoolBackward(
                                                       shape, window, stride, padding,
                                                       backend.elementwise().sum(std::move(grads)),
                                                       argmax));
                       });
}

Variable avgPool(Tape& tape, const Variable& input, int window, int stride, int padding,
                 bool countPadding)
{
    Backend& backend = tape.backend();
    return tape.record(
        "average pool",
        backend.pooling().avgPoolForward(input.value(), window, stride, padding, countPadding),
        input.needsGradient(),
        [&backend, shape = input.value().shape(), slot = input.slot(), window, stride, padding,
         countPadding](std::vector<Tensor> grads) {
            Tape::addGradient(slot, backend.pooling().avgPoolBackward(
                                        shape, window, stride, padding, countPadding,
                                        backend.elementwise().sum(std::move(grads))));
        });
}

Variable resize(Tape& tape, const Variable& input, std::int64_t outH, std::int64_t outW,
                ResizeMode mode)
{
    Backend& backend = tape.backend();
    return tape.record("resize", backend.pooling().resizeForward(input.value(), outH, outW, mode),
                       input.needsGradient(),
                       [&backend, shape = input.value().shape(), slot = input.slot(),
                        mode](std::vector<Tensor> grads) {
                           Tape::addGradient(
                               slot, backend.pooling().resizeBackward(
                                         shape, mode, backend.elementwise().sum(std::move(grads))));
                       });
}

Variable globalAvgPool(Tape& tape, const Variable& input)
{
    Backend& backend = tape.backend();
    return tape.record(
        "average pool", backend.pooling().globalAvgPoolForward(input.value()),
        input.needsGradient(),
        [&backend, shape = input.value().shape(), slot = input.slot()](std::vector<Tensor> grads) {
            Tape::addGradient(slot, backend.pooling().globalAvgPoolBackward(
                                        shape, backend.elementwise().sum(std::move(grads))));
        });
}

Variable shortcutPad(Tape& tape, const Variable& input, std::int64_t channels, std::int64_t stride)
{
    Backend& backend = tape.backend();
    return tape.record(
        "shortcut", backend.pooling().shortcutPadForward(input.value(), channels, stride),
        input.needsGradient(),
        [&backend, shape = input.value().shape(), slot = input.slot(),
         stride](std::vector<Tensor> grads) {
            Tape::addGradient(slot,
                              backend.pooling().shortcutPadBackward(
                                  shape, stride, backend.elementwise().sum(std::move(grads))));
        });
}

} // namespace scalebench::autograd
