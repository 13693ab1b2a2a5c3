// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/elementwise.h"

#include <algorithm>
#include <utility>

#include "kernels/activation_op.h"
#include "kernels/check.h"

namespace scalebench::autograd {
namespace {

using Gradients = std::vector<Tensor>;

Tensor summed(Backend& backend, Gradients grads)
{
    return backend.elementwise().sum(std::move(grads));
}

} // namespace

Variable activation(Tape& tape, Activation a, const Variable& input)
{
    Backend& backend = tape.backend();
    Tensor y = backend.elementwise().activationForward(a, input.value());
    const Tensor kept = activationKeepsInput(a) ? input.value() : y;
    return tape.record(activationName(a), std::move(y), input.needsGradient(),
                       [&backend, a, kept, slot = input.slot()](Gradients grads) {
                           Tape::addGradient(slot, backend.elementwise().activationBackward(
                                                       a, kept, summed(backend, std::move(grads))));
                       });
}

Variable relu(Tape& tape, const Variable& input)
{
    return activation(tape, Activation::Relu, input);
}

Variable binary(Tape& tape, BinaryOp op, const Variable& a, const Variable& b)
{
    Backend& backend = tape.backend();
    const Tensor &va = a.value(), &vb = b.value();
    return tape.record(binaryOpName(op), backend.elementwise().binaryForward(op, va, vb),
                       a.needsGradient() || b.needsGradient(),
                       [&backend, op, va, vb, sa = a.slot(), sb = b.slot()](Gradients grads) {
                           const Tensor dy = summed(backend, std::move(grads));
                           // A sum passes the gradient on as it is.
                           auto gradient = [&](bool ofB) {
                               const bool same =
                                   op == BinaryOp::Add || (op == BinaryOp::Subtract && !ofB);
                               if (same && (ofB ? vb : va).shape() == dy.shape())
                                   return dy;
                               return backend.elementwise().binaryBackward(op, ofB, va, vb, dy);
                           };
                           if (sa)
                               Tape::addGradient(sa, gradient(false));
                           if (sb)
                               Tape::addGradient(sb, gradient(true));
                       });
}

Variable add(Tape& tape, const Variable& a, const Variable& b)
{
    return binary(tape, BinaryOp::Add, a, b);
}

Variable subtract(Tape& tape, const Variable& a, const Variable& b)
{
    return binary(tape, BinaryOp::Subtract, a, b);
}

Variable multiply(Tape& tape, const Variable& a, const Variable& b)
{
    return binary(tape, BinaryOp::Multiply, a, b);
}

Variable divide(Tape& tape, const Variable& a, const Variable& b)
{
    return binary(tape, BinaryOp::Divide, a, b);
}

Variable scale(Tape& tape, const Variable& input, float factor)
{
    Backend& backend = tape.backend();
    return tape.record("scale", backend.elementwise().scale(input.value(), factor),
                       input.needsGradient(),
                       [&backend, factor, slot = input.slot()](Gradients grads) {
                           Tape::addGradient(slot, backend.elementwise().scale(
                                                       summed(backend, std::move(grads)), factor));
                       });
}

static DropoutArgs drawn(Tape& tape, float probability)
{
    const Tape::RandomKey key = tape.drawRandomKey();
    return {probability, key.value, 0, key.step};
}

Variable dropout(Tape& tape, const Variable& input, float probability)
{
    if (probability == 0.0f)
        return input;
    Backend& backend = tape.backend();
    const DropoutArgs args = drawn(tape, probability);
    return tape.record("dropout", backend.elementwise().dropout(input.value(), args),
                       input.needsGradient(),
                       [&backend, args, slot = input.slot()](Gradients grads) {
                           Tape::addGradient(slot, backend.elementwise().dropout(
                                                       summed(backend, std::move(grads)), args));
                       });
}

Variable dropoutAdd(Tape& tape, const Variable& input, const Variable& residual, float probability)
{
    if (probability == 0.0f)
        return add(tape, input, residual);
    Backend& backend = tape.backend();
    const DropoutArgs args = drawn(tape, probability);
    return tape.record(
        "dropout and add", backend.elementwise().dropoutAdd(input.value(), residual.value(), args),
        input.needsGradient() || residual.needsGradient(),
        [&backend, args, slot = input.slot(), other = residual.slot()](Gradients grads) {
            const Tensor dy = summed(backend, std::move(grads));
            if (slot)
                Tape::addGradient(slot, backend.elementwise().dropout(dy, args));
            Tape::addGradient(other, dy);
        });
}

Variable reduce(Tape& tape, ReduceOp op, const Variable& input, const std::vector<int>& axes,
                bool keepAxes)
{
    Backend& backend = tape.backend();
    const Tensor& x = input.value();
    const bool needs = tape.recording() && input.needsGradient();
    Tensor argmax;
    Tensor y = backend.elementwise().reduceForward(
        op, x, axes, keepAxes, x.dtype(), needs && op == ReduceOp::Max ? &argmax : nullptr);
    return tape.record("reduction", std::move(y), needs,
                       [&backend, op, axes, argmax, shape = x.shape(), type = x.dtype(),
                        slot = input.slot()](Gradients grads) {
                           Tape::addGradient(slot, backend.elementwise().reduceBackward(
                                                       op, shape, type, axes,
                                                       summed(backend, std::move(grads)), argmax));
                       });
}

Variable cast(Tape& tape, const Variable& input, DType dtype)
{
    const DType from = input.value().dtype();
    if (from == dtype)
        return input;
    Backend& backend = tape.backend();
    return tape.record(
        "cast", backend.elementwise().cast(input.value(), dtype), input.needsGradient(),
        [&backend, from, slot = input.slot()](Gradients grads) {
            Tape::addGradient(slot,
                              backend.elementwise().cast(summed(backend, std::move(grads)), from));
        });
}

Variable reshape(Tape& tape, const Variable& input, Shape shape)
{
    Backend& backend = tape.backend();
    return tape.record(
        "reshape", input.value().reshaped(std::move(shape)), input.needsGradient(),
        [&backend, from = input.value().shape(), slot = input.slot()](Gradients grads) {
            Tape::addGradient(slot, summed(backend, std::move(grads)).reshaped(from));
        });
}

Variable concat(Tape& tape, const std::vector<Variable>& parts, int axis)
{
    Backend& backend = tape.backend();
    std::vector<Tensor> values;
    std::vector<std::pair<std::shared_ptr<GradientSlot>, std::int64_t>> sizes;
    bool needs = false;
    for (const Variable& part : parts) {
        values.push_back(part.value());
        needs = needs || part.needsGradient();
    }
    Tensor y = backend.elementwise().concat(values, axis);
    const std::size_t at = std::size_t(axis < 0 ? axis + int(y.shape().size()) : axis);
    for (const Variable& part : parts)
        sizes.emplace_back(part.slot(), part.value().dim(at));
    return tape.record("concat", std::move(y), needs, [&backend, sizes, axis](Gradients grads) {
        const Tensor dy = summed(backend, std::move(grads));
        std::int64_t begin = 0;
        for (const auto& [slot, size] : sizes) {
            if (slot)
                Tape::addGradient(slot, backend.elementwise().slice(dy, axis, begin, begin + size));
            begin += size;
        }
    });
}

Variable slice(Tape& tape, const Variable& input, int axis, std::int64_t begin, std::int64_t end)
{
    Backend& backend = tape.backend();
    return tape.record("slice", backend.elementwise().slice(input.value(), axis, begin, end),
                       input.needsGradient(),
                       [&backend, shape = input.value().shape(), axis, begin,
                        slot = input.slot()](Gradients grads) {
                           Tape::addGradient(
                               slot, backend.elementwise().sliceBackward(
                                         shape, axis, begin, summed(backend, std::move(grads))));
                       });
}

Variable permute(Tape& tape, const Variable& input, const std::vector<int>& order)
{
    Backend& backend = tape.backend();
    Tensor y = backend.elementwise().permute(input.value(), order);
    const int rank = int(order.size());
    std::vector<int> inverse(order.size());
    for (int i = 0; i < rank; ++i) {
        const int from = order[std::size_t(i)];
        inverse[std::size_t(from < 0 ? from + rank : from)] = i;
    }
    return tape.record("permute", std::move(y), input.needsGradient(),
                       [&backend, inverse, slot = input.slot()](Gradients grads) {
                           Tape::addGradient(slot, backend.elementwise().permute(
                                                       summed(backend, std::move(grads)), inverse));
                       });
}

Variable transpose(Tape& tape, const Variable& input)
{
    const std::size_t rank = input.value().shape().size();
    SB_REQUIRE(rank >= 2, "transpose: " + input.value().describe() + " needs two axes");
    std::vector<int> order(rank);
    for (std::size_t i = 0; i < rank; ++i)
        order[i] = int(i);
    std::swap(order[rank - 2], order[rank - 1]);
    return permute(tape, input, order);
}

Variable gather(Tape& tape, const Variable& input, int axis, const Tensor& ids)
{
    Backend& backend = tape.backend();
    return tape.record(
        "gather", backend.elementwise().gather(input.value(), axis, ids), input.needsGradient(),
        [&backend, shape = input.value().shape(), axis, ids, slot = input.slot()](Gradients grads) {
            Tape::addGradient(slot, backend.elementwise().gatherBackward(
                                        shape, axis, ids, summed(backend, std::move(grads))));
        });
}

} // namespace scalebench::autograd
