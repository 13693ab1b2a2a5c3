// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/elementwise.h"

#include "kernels/check.h"

namespace scalebench::autograd {

Variable relu(Tape& tape, const Variable& input)
{
    Backend& backend = tape.backend();
    Tensor y = backend.elementwise().reluForward(input.value());
    return tape.record("relu", y, input.needsGradient(),
                       [&backend, y, slot = input.slot()](std::vector<Tensor> grads) {
                           Tape::addGradient(slot,
                                             backend.elementwise().reluBackward(
                                                 y, backend.elementwise().sum(std::move(grads))));
                       });
}

Variable add(Tape& tape, const Variable& a, const Variable& b)
{
    Backend& backend = tape.backend();
    Tensor y = backend.elementwise().sum({a.value(), b.value()});
    return tape.record("add", std::move(y), a.needsGradient() || b.needsGradient(),
                       [&backend, sa = a.slot(), sb = b.slot()](std::vector<Tensor> grads) {
                           const Tensor dy = backend.elementwise().sum(std::move(grads));
                           Tape::addGradient(sa, dy);
                           Tape::addGradient(sb, dy);
                       });
}

} // namespace scalebench::autograd
