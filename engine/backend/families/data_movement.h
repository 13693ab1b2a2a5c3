// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reductions, and tensors cut, joined and put in another order: the part of the elementwise family
// that moves data, the same on every device but for the kernels.

#include "engine/backend/elementwise_arguments.h"
#include "engine/backend/ops/elementwise_ops.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/check.h"

#include <cstddef>
#include <vector>

namespace scalebench {

/// Device: its Context (make, workspace, launch, Timer), requireActivation, the kernels by name,
/// and
///   padRows(context, rows, bytes, from, before, row, to)   a row of each in zeros
///   gatherForward(context, p, ids, input, output), gatherBackward(...)   ids are checked
template <class Device>
class DataMovement : public ElementwiseOps
{
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;

public:
    explicit DataMovement(Context& context) : context_(context) {}

    Tensor reduceForward(ReduceOp op, const Tensor& input, const std::vector<int>& axes,
                         bool keepAxes, DType dtype, Tensor* argmax) final
    {
        const Timer timer(context_, "reduction");
        Device::requireActivation("reduction", input, 0);
        const std::vector<bool> reduced = reducedAxes(input.shape(), axes);
        const ReduceParams p = reduceParams(op, input.shape(), input.dtype(), dtype, reduced);
        if (argmax)
            requireCountable(input);
        const Shape shape = reducedShape(input.shape(), reduced, keepAxes);
        Tensor output = context_.make(shape, dtype);
        Device::requireActivation("reduction", output, 0);
        if (argmax)
            *argmax = context_.make(shape, DType::I32);
        std::int32_t* places = argmax ? argmax->i32().data() : nullptr;
        if constexpr (requires { Device::reduceScratchBytes(p); })
            context_.launch(Device::reduceForward, p, input.data(), output.data(), places,
                            context_.workspace(Device::reduceScratchBytes(p)));
        else
            context_.launch(Device::reduceForward, p, input.data(), output.data(), places);
        return output;
    }

    Tensor reduceBackward(ReduceOp op, const Shape& inputShape, DType inputType,
                          const std::vector<int>& axes, const Tensor& gradOutput,
                          const Tensor& argmax) final
    {
        const Timer timer(context_, "reduction backward");
        Device::requireActivation("reduction backward", gradOutput, 0);
        const ReduceParams p = reduceParams(op, inputShape, inputType, gradOutput.dtype(),
                                            reducedAxes(inputShape, axes));
        requireReduceGradient(p, inputShape, gradOutput, argmax);
        Tensor gradInput = context_.make(inputShape, inputType);
        const std::int32_t* places = op == ReduceOp::Max ? argmax.i32().data() : nullptr;
        context_.launch(Device::reduceBackward, p, gradOutput.data(), places, gradInput.data());
        return gradInput;
    }

    Tensor concat(const std::vector<Tensor>& parts, int axis) final
    {
        const Timer timer(context_, "concat");
        const Shape shape = concatShape(parts, axis);
        const std::size_t a = axisOf("concat", shape, axis);
        Tensor output = context_.make(shape, parts[0].dtype());
        const Around around(shape, a);
        const std::size_t unit = std::size_t(around.inner) * dtypeBytes(output.dtype());
        std::size_t at = 0;
        for (const Tensor& part : parts) {
            const std::size_t bytes = std::size_t(part.shape()[a]) * unit;
            context_.launch(Device::copyRows, around.outer, bytes, part.data(), bytes,
                            static_cast<char*>(output.data()) + at, std::size_t(shape[a]) * unit);
            at += bytes;
        }
        return output;
    }

    Tensor slice(const Tensor& input, int axis, std::int64_t begin, std::int64_t end) final
    {
        const Timer timer(context_, "slice");
        const Shape shape = sliceShape(input, axis, begin, end);
        const std::size_t a = axisOf("slice", shape, axis);
        Tensor output = context_.make(shape, input.dtype());
        const Around around(shape, a);
        const std::size_t unit = std::size_t(around.inner) * dtypeBytes(input.dtype());
        const std::size_t bytes = std::size_t(end - begin) * unit;
        context_.launch(Device::copyRows, around.outer, bytes,
                        static_cast<const char*>(input.data()) + std::size_t(begin) * unit,
                        std::size_t(input.shape()[a]) * unit, output.data(), bytes);
        return output;
    }

    Tensor sliceBackward(const Shape& inputShape, int axis, std::int64_t begin,
                         const Tensor& gradOutput) final
    {
        const Timer timer(context_, "slice backward");
        requireSliceGradient(inputShape, axis, begin, gradOutput);
        const std::size_t a = axisOf("slice backward", inputShape, axis);
        Tensor gradInput = context_.make(inputShape, gradOutput.dtype());
        const Around around(inputShape, a);
        const std::size_t unit = std::size_t(around.inner) * dtypeBytes(gradOutput.dtype());
        context_.launch(Device::padRows, around.outer, std::size_t(gradOutput.shape()[a]) * unit,
                        gradOutput.data(), std::size_t(begin) * unit,
                        std::size_t(inputShape[a]) * unit, gradInput.data());
        return gradInput;
    }

    Tensor permute(const Tensor& input, const std::vector<int>& order) final
    {
        const Timer timer(context_, "permute");
        Shape shape;
        const PermuteParams p = permuteParams(input, order, shape);
        Tensor output = context_.make(shape, input.dtype());
        context_.launch(Device::permute, p, input.data(), output.data());
        return output;
    }

    Tensor gather(const Tensor& input, int axis, const Tensor& ids) final
    {
        const Timer timer(context_, "gather");
        const GatherParams p = gatherParams(input.shape(), axis, ids, input.dtype());
        Shape shape = input.shape();
        shape[axisOf("gather", shape, axis)] = p.n;
        Tensor output = context_.make(shape, input.dtype());
        Device::gatherForward(context_, p, ids, input, output);
        return output;
    }

    Tensor gatherBackward(const Shape& inputShape, int axis, const Tensor& ids,
                          const Tensor& gradOutput) final
    {
        const Timer timer(context_, "gather backward");
        Device::requireActivation("gather backward", gradOutput, 0);
        const GatherParams p = gatherParams(inputShape, axis, ids, gradOutput.dtype());
        requireGatherGradient(p, inputShape, gradOutput);
        Tensor gradInput = context_.make(inputShape, gradOutput.dtype());
        Device::gatherBackward(context_, p, ids, gradOutput, gradInput);
        return gradInput;
    }

    TopK topK(const Tensor& input, std::int64_t k) final
    {
        const Timer timer(context_, "top-k");
        Device::requireActivation("top-k", input, 0);
        const TopKParams p = topKParams(input, k);
        Shape shape = input.shape();
        shape.back() = k;
        TopK result{context_.make(shape, input.dtype()), context_.make(shape, DType::I32)};
        context_.launch(Device::topK, p, input.data(), result.values.data(),
                        result.indices.i32().data(),
                        context_.workspace(Device::topKScratchBytes(p)));
        return result;
    }

protected:
    Context& context_;
};

} // namespace scalebench
