// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arithmetic element by element, the same on every device but for the kernels. Reductions and data
// movement: data_movement.h.

#include "engine/backend/elementwise_arguments.h"
#include "engine/backend/families/data_movement.h"

#include <utility>
#include <vector>

namespace scalebench {

/// Device: as of DataMovement, and
///   kCastTypes, cast(context, from, to)           between which types; of tensors
///   sumTerms(context, terms)                      all of one type and shape, at least two
///   binaryGradient(family, context, p, ofB, a, b, gradOutput)   of the smaller operand too
template <class Device>
class ElementwiseFamily final : public DataMovement<Device>
{
    using Base = DataMovement<Device>;
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;
    using Base::context_;

public:
    explicit ElementwiseFamily(Context& context) : Base(context) {}

    Tensor cast(const Tensor& input, DType dtype) override
    {
        if (input.dtype() == dtype)
            return input;
        const Timer timer(context_, "cast");
        Device::requireActivation("cast", input, 0);
        if (!Device::canCastTo(dtype))
            throw Unsupported("cast " + input.describe() + " to " + dtypeName(dtype) +
                              ": only between " + Device::kCastTypes);
        Tensor output = context_.make(input.shape(), dtype);
        timer.work(0, double(input.bytes() + output.bytes()));
        Device::cast(context_, input, output);
        return output;
    }

    Tensor sum(std::vector<Tensor> terms) override
    {
        SB_REQUIRE(!terms.empty(), "sum of no tensors");
        if (terms.size() == 1)
            return std::move(terms[0]);
        const Timer timer(context_, "sum");
        Device::requireActivation("sum", terms[0], 0);
        timer.work(0, double(terms[0].bytes()) * double(terms.size() + 1));
        for (const Tensor& term : terms)
            requireSame("sum", terms[0], term);
        return Device::sumTerms(context_, std::move(terms));
    }

    Tensor reluForward(const Tensor& input) override
    {
        return activationForward(Activation::Relu, input);
    }

    Tensor reluBackward(const Tensor& output, const Tensor& gradOutput) override
    {
        return activationBackward(Activation::Relu, output, gradOutput);
    }

    Tensor activationForward(Activation activation, const Tensor& input) override
    {
        const Timer timer(context_, activationName(activation));
        Device::requireActivation(activationName(activation), input, 0);
        Tensor output = context_.make(input.shape(), input.dtype());
        timer.work(0, 2.0 * double(input.bytes()));
        context_.launch(Device::activationForward, activation, input.dtype(), input.count(),
                        input.data(), output.data());
        return output;
    }

    Tensor activationBackward(Activation activation, const Tensor& kept,
                              const Tensor& gradOutput) override
    {
        const Timer timer(context_, "activation backward");
        Device::requireActivation("activation backward", kept, 0);
        requireSame("activation backward", kept, gradOutput);
        Tensor gradInput = context_.make(kept.shape(), kept.dtype());
        timer.work(0, 3.0 * double(kept.bytes()));
        context_.launch(Device::activationBackward, activation, kept.dtype(), kept.count(),
                        kept.data(), gradOutput.data(), gradInput.data());
        return gradInput;
    }

    Tensor binaryForward(BinaryOp op, const Tensor& a, const Tensor& b) override
    {
        const Timer timer(context_, binaryOpName(op));
        Device::requireActivation(binaryOpName(op), a, 0);
        const BroadcastParams p = broadcastParams(op, a, b);
        Tensor output = context_.make(broadcastShape(a, b), a.dtype());
        timer.work(0, double(a.bytes() + b.bytes() + output.bytes()));
        context_.launch(Device::binaryForward, p, a.data(), b.data(), output.data());
        return output;
    }

    Tensor binaryBackward(BinaryOp op, bool ofB, const Tensor& a, const Tensor& b,
                          const Tensor& gradOutput) override
    {
        const Timer timer(context_, "binary backward");
        Device::requireActivation(binaryOpName(op), a, 0);
        const BroadcastParams p = broadcastParams(op, a, b);
        requireBinaryGradient(op, a, b, gradOutput);
        return Device::binaryGradient(*this, context_, p, ofB, a, b, gradOutput);
    }

    Tensor scale(const Tensor& input, float factor) override
    {
        const Timer timer(context_, "scale");
        Device::requireActivation("scale", input, 0);
        Tensor output = context_.make(input.shape(), input.dtype());
        timer.work(0, 2.0 * double(input.bytes()));
        context_.launch(Device::scale, input.dtype(), input.count(), factor, input.data(),
                        output.data());
        return output;
    }

    Tensor dropout(const Tensor& input, const DropoutArgs& args) override
    {
        const Timer timer(context_, "dropout");
        Device::requireActivation("dropout", input, 0);
        const DropoutParams p = dropoutParams("dropout", input, args);
        Tensor output = context_.make(input.shape(), input.dtype());
        timer.work(0, 2.0 * double(input.bytes()));
        context_.launch(Device::dropout, p, input.data(), output.data());
        return output;
    }

    Tensor dropoutAdd(const Tensor& input, const Tensor& residual, const DropoutArgs& args) override
    {
        const Timer timer(context_, "dropout");
        Device::requireActivation("dropout with residual", input, 0);
        const DropoutParams p = dropoutParams("dropout with residual", input, args);
        requireSame("dropout with residual", input, residual);
        Tensor output = context_.make(input.shape(), input.dtype());
        timer.work(0, 3.0 * double(input.bytes()));
        context_.launch(Device::dropoutAdd, p, input.data(), residual.data(), output.data());
        return output;
    }
};

} // namespace scalebench
