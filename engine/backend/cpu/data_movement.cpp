// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/elementwise.h"

#include "engine/backend/elementwise_arguments.h"
#include "kernels/copy_rows.h"
#include "kernels/gather.h"
#include "kernels/permute.h"
#include "kernels/top_k.h"

namespace scalebench::cpu_backend {
namespace cpu = kernels::cpu;

Tensor CpuElementwise::reduceForward(ReduceOp op, const Tensor& input, const std::vector<int>& axes,
                                     bool keepAxes, DType dtype, Tensor* argmax)
{
    const CpuContext::Timer timer(context_, "reduction");
    requireActivation("reduction", input, 0);
    const std::vector<bool> reduced = reducedAxes(input.shape(), axes);
    const ReduceParams p = reduceParams(op, input.shape(), input.dtype(), dtype, reduced);
    if (argmax)
        requireCountable(input);
    const Shape shape = reducedShape(input.shape(), reduced, keepAxes);
    Tensor output = context_.make(shape, dtype);
    requireActivation("reduction", output, 0);
    if (argmax)
        *argmax = context_.make(shape, DType::I32);
    cpu::reduceForward(p, input.data(), output.data(), argmax ? argmax->i32().data() : nullptr);
    return output;
}

Tensor CpuElementwise::reduceBackward(ReduceOp op, const Shape& inputShape, DType inputType,
                                      const std::vector<int>& axes, const Tensor& gradOutput,
                                      const Tensor& argmax)
{
    const CpuContext::Timer timer(context_, "reduction backward");
    requireActivation("reduction backward", gradOutput, 0);
    const ReduceParams p =
        reduceParams(op, inputShape, inputType, gradOutput.dtype(), reducedAxes(inputShape, axes));
    requireReduceGradient(p, inputShape, gradOutput, argmax);
    Tensor gradInput = context_.make(inputShape, inputType);
    cpu::reduceBackward(p, gradOutput.data(), op == ReduceOp::Max ? argmax.i32().data() : nullptr,
                        gradInput.data());
    return gradInput;
}

Tensor CpuElementwise::concat(const std::vector<Tensor>& parts, int axis)
{
    const CpuContext::Timer timer(context_, "concat");
    const Shape shape = concatShape(parts, axis);
    const std::size_t a = axisOf("concat", shape, axis);
    Tensor output = context_.make(shape, parts[0].dtype());
    const Around around(shape, a);
    const std::size_t unit = std::size_t(around.inner) * dtypeBytes(output.dtype());
    std::size_t at = 0;
    for (const Tensor& part : parts) {
        const std::size_t bytes = std::size_t(part.shape()[a]) * unit;
        cpu::copyRows(around.outer, bytes, part.data(), bytes,
                      static_cast<char*>(output.data()) + at, std::size_t(shape[a]) * unit);
        at += bytes;
    }
    return output;
}

Tensor CpuElementwise::slice(const Tensor& input, int axis, std::int64_t begin, std::int64_t end)
{
    const CpuContext::Timer timer(context_, "slice");
    const Shape shape = sliceShape(input, axis, begin, end);
    const std::size_t a = axisOf("slice", shape, axis);
    Tensor output = context_.make(shape, input.dtype());
    const Around around(shape, a);
    const std::size_t unit = std::size_t(around.inner) * dtypeBytes(input.dtype());
    const std::size_t bytes = std::size_t(end - begin) * unit;
    cpu::copyRows(around.outer, bytes,
                  static_cast<const char*>(input.data()) + std::size_t(begin) * unit,
                  std::size_t(input.shape()[a]) * unit, output.data(), bytes);
    return output;
}

Tensor CpuElementwise::sliceBackward(const Shape& inputShape, int axis, std::int64_t begin,
                                     const Tensor& gradOutput)
{
    const CpuContext::Timer timer(context_, "slice backward");
    requireSliceGradient(inputShape, axis, begin, gradOutput);
    const std::size_t a = axisOf("slice backward", inputShape, axis);
    Tensor gradInput = context_.make(inputShape, gradOutput.dtype());
    const Around around(inputShape, a);
    const std::size_t unit = std::size_t(around.inner) * dtypeBytes(gradOutput.dtype());
    const std::size_t row = std::size_t(inputShape[a]) * unit;
    const std::size_t before = std::size_t(begin) * unit;
    const std::size_t bytes = std::size_t(gradOutput.shape()[a]) * unit;
    auto* to = static_cast<char*>(gradInput.data());
    cpu::zeroRows(around.outer, before, to, row);
    cpu::copyRows(around.outer, bytes, gradOutput.data(), bytes, to + before, row);
    cpu::zeroRows(around.outer, row - before - bytes, to + before + bytes, row);
    return gradInput;
}

Tensor CpuElementwise::permute(const Tensor& input, const std::vector<int>& order)
{
    const CpuContext::Timer timer(context_, "permute");
    Shape shape;
    const PermuteParams p = permuteParams(input, order, shape);
    Tensor output = context_.make(shape, input.dtype());
    cpu::permute(p, input.data(), output.data());
    return output;
}

Tensor CpuElementwise::gather(const Tensor& input, int axis, const Tensor& ids)
{
    const CpuContext::Timer timer(context_, "gather");
    const GatherParams p = gatherParams(input.shape(), axis, ids, input.dtype());
    const auto list = ids.i32();
    const std::int64_t bad = cpu::embeddingFirstOutside(p.n, p.axis, list.data());
    SB_REQUIRE(bad < 0, "gather: id " + std::to_string(list[std::size_t(bad)]) + " at position " +
                            std::to_string(bad) + " is outside axis " + std::to_string(axis) +
                            " of " + input.describe());
    Shape shape = input.shape();
    shape[axisOf("gather", shape, axis)] = p.n;
    Tensor output = context_.make(shape, input.dtype());
    cpu::gatherForward(p, input.data(), list.data(), output.data());
    return output;
}

Tensor CpuElementwise::gatherBackward(const Shape& inputShape, int axis, const Tensor& ids,
                                      const Tensor& gradOutput)
{
    const CpuContext::Timer timer(context_, "gather backward");
    requireActivation("gather backward", gradOutput, 0);
    const GatherParams p = gatherParams(inputShape, axis, ids, gradOutput.dtype());
    requireGatherGradient(p, inputShape, gradOutput);
    SB_REQUIRE(cpu::embeddingFirstOutside(p.n, p.axis, ids.i32().data()) < 0,
               "gather backward: ids outside axis " + std::to_string(axis) + " of an input " +
                   toString(inputShape));
    const Tensor rows = context_.make({p.n}, DType::I32);
    const Tensor begin = context_.make({p.n + 1}, DType::I32);
    const Tensor entry = context_.make({p.n}, DType::I32);
    EmbeddingGroups groups{rows.i32().data(), begin.i32().data(), entry.i32().data(), 0};
    cpu::embeddingGroup({p.n, p.axis, p.inner, -1, p.dtype}, ids.i32().data(), groups,
                        context_.workspace(cpu::embeddingGroupScratchBytes(p.n)));
    Tensor gradInput = context_.make(inputShape, gradOutput.dtype());
    cpu::gatherBackward(p, groups, gradOutput.data(), gradInput.data());
    return gradInput;
}

TopK CpuElementwise::topK(const Tensor& input, std::int64_t k)
{
    const CpuContext::Timer timer(context_, "top-k");
    requireActivation("top-k", input, 0);
    const TopKParams p = topKParams(input, k);
    Shape shape = input.shape();
    shape.back() = k;
    TopK result{context_.make(shape, input.dtype()), context_.make(shape, DType::I32)};
    cpu::topK(p, input.data(), result.values.data(), result.indices.i32().data(),
              context_.workspace(cpu::topKScratchBytes(p)));
    return result;
}

} // namespace scalebench::cpu_backend
