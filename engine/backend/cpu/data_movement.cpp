// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/elementwise.h"

#include <limits>

#include "kernels/copy_rows.h"
#include "kernels/gather.h"
#include "kernels/permute.h"
#include "kernels/top_k.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

std::size_t axisOf(const char* op, const Shape& shape, int axis)
{
    const int rank = int(shape.size());
    SB_REQUIRE(axis >= -rank && axis < rank,
               std::string(op) + ": " + toString(shape) + " has no axis " + std::to_string(axis));
    return std::size_t(axis < 0 ? axis + rank : axis);
}

/// A shape around one axis: rows before it, elements behind it.
struct Around {
    std::int64_t outer = 1, inner = 1;
    Around(const Shape& shape, std::size_t axis)
    {
        for (std::size_t i = 0; i < shape.size(); ++i)
            (i < axis ? outer : inner) *= i == axis ? 1 : shape[i];
    }
};

std::vector<bool> reducedAxes(const Shape& shape, const std::vector<int>& axes)
{
    std::vector<bool> reduced(shape.size(), axes.empty());
    for (const int axis : axes)
        reduced[axisOf("reduction", shape, axis)] = true;
    return reduced;
}

ReduceParams reduceParams(ReduceOp op, const Shape& shape, DType inputType, DType outputType,
                          const std::vector<bool>& reduced)
{
    ReduceParams p;
    if (!ReduceParams::make(op, inputType, outputType, shape, reduced, p))
        throw Unsupported("reduction of " + toString(shape) + ": more than " +
                          std::to_string(ReduceParams::kMaxAxes) + " separate axes");
    const bool empty = p.inputCount() == 0 && p.outputCount() > 0;
    SB_REQUIRE(op != ReduceOp::Max || !empty, "maximum of nothing in " + toString(shape));
    return p;
}

} // namespace

Tensor CpuElementwise::reduceForward(ReduceOp op, const Tensor& input, const std::vector<int>& axes,
                                     bool keepAxes, DType dtype, Tensor* argmax)
{
    const CpuContext::Timer timer(context_, "reduction");
    requireActivation("reduction", input, 0);
    const std::vector<bool> reduced = reducedAxes(input.shape(), axes);
    const ReduceParams p = reduceParams(op, input.shape(), input.dtype(), dtype, reduced);
    if (argmax && input.count() > std::numeric_limits<std::int32_t>::max())
        throw Unsupported("maximum of " + input.describe() + ": positions are kept in 31 bits");
    Shape shape;
    for (std::size_t i = 0; i < input.shape().size(); ++i)
        if (!reduced[i] || keepAxes)
            shape.push_back(reduced[i] ? 1 : input.shape()[i]);
    if (shape.empty())
        shape = {1};
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
    SB_REQUIRE(gradOutput.count() == p.outputCount() &&
                   (op != ReduceOp::Max || argmax.count() == p.outputCount()),
               "reduction backward: gradient " + gradOutput.describe() +
                   " does not belong to an input " + toString(inputShape));
    Tensor gradInput = context_.make(inputShape, inputType);
    cpu::reduceBackward(p, gradOutput.data(), op == ReduceOp::Max ? argmax.i32().data() : nullptr,
                        gradInput.data());
    return gradInput;
}

Tensor CpuElementwise::concat(const std::vector<Tensor>& parts, int axis)
{
    const CpuContext::Timer timer(context_, "concat");
    SB_REQUIRE(!parts.empty(), "concat of no tensors");
    Shape shape = parts[0].shape();
    const std::size_t a = axisOf("concat", shape, axis);
    shape[a] = 0;
    for (const Tensor& part : parts) {
        Shape expected = part.shape();
        SB_REQUIRE(part.dtype() == parts[0].dtype() && expected.size() == shape.size(),
                   "concat: " + parts[0].describe() + " and " + part.describe() + " do not agree");
        expected[a] = shape[a];
        SB_REQUIRE(expected == shape, "concat on axis " + std::to_string(axis) + ": " +
                                          parts[0].describe() + " and " + part.describe() +
                                          " differ on another one");
        shape[a] += part.shape()[a];
    }
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
    Shape shape = input.shape();
    const std::size_t a = axisOf("slice", shape, axis);
    const std::int64_t size = shape[a];
    SB_REQUIRE(begin >= 0 && begin <= end && end <= size,
               "slice: " + input.describe() + " has no entries " + std::to_string(begin) + " to " +
                   std::to_string(end) + " on axis " + std::to_string(axis));
    shape[a] = end - begin;
    Tensor output = context_.make(shape, input.dtype());
    const Around around(shape, a);
    const std::size_t unit = std::size_t(around.inner) * dtypeBytes(input.dtype());
    const std::size_t bytes = std::size_t(end - begin) * unit;
    cpu::copyRows(around.outer, bytes,
                  static_cast<const char*>(input.data()) + std::size_t(begin) * unit,
                  std::size_t(size) * unit, output.data(), bytes);
    return output;
}

Tensor CpuElementwise::sliceBackward(const Shape& inputShape, int axis, std::int64_t begin,
                                     const Tensor& gradOutput)
{
    const CpuContext::Timer timer(context_, "slice backward");
    const std::size_t a = axisOf("slice backward", inputShape, axis);
    Shape expected = inputShape;
    expected[a] = gradOutput.shape().size() == inputShape.size() ? gradOutput.dim(a) : -1;
    SB_REQUIRE(gradOutput.shape() == expected && begin >= 0 && begin + expected[a] <= inputShape[a],
               "slice backward: gradient " + gradOutput.describe() +
                   " does not belong to an input " + toString(inputShape));
    Tensor gradInput = context_.make(inputShape, gradOutput.dtype());
    const Around around(inputShape, a);
    const std::size_t unit = std::size_t(around.inner) * dtypeBytes(gradOutput.dtype());
    const std::size_t row = std::size_t(inputShape[a]) * unit;
    const std::size_t before = std::size_t(begin) * unit;
    const std::size_t bytes = std::size_t(expected[a]) * unit;
    auto* to = static_cast<char*>(gradInput.data());
    cpu::zeroRows(around.outer, before, to, row);
    cpu::copyRows(around.outer, bytes, gradOutput.data(), bytes, to + before, row);
    cpu::zeroRows(around.outer, row - before - bytes, to + before + bytes, row);
    return gradInput;
}

Tensor CpuElementwise::permute(const Tensor& input, const std::vector<int>& order)
{
    const CpuContext::Timer timer(context_, "permute");
    PermuteParams p;
    std::string text = "permute " + input.describe() + " to";
    for (const int axis : order) {
        text += ' ';
        text += std::to_string(axis);
    }
    std::vector<int> axes;
    for (const int axis : order)
        axes.push_back(int(axisOf(text.c_str(), input.shape(), axis)));
    SB_REQUIRE(PermuteParams::make(input.shape(), axes, dtypeBytes(input.dtype()), p),
               text + ": not an order of its axes, or more than " +
                   std::to_string(PermuteParams::kMaxAxes) + " of them");
    Shape shape;
    for (const int axis : axes)
        shape.push_back(input.shape()[std::size_t(axis)]);
    Tensor output = context_.make(shape, input.dtype());
    cpu::permute(p, input.data(), output.data());
    return output;
}

Tensor CpuElementwise::gather(const Tensor& input, int axis, const Tensor& ids)
{
    const CpuContext::Timer timer(context_, "gather");
    Shape shape = input.shape();
    const std::size_t a = axisOf("gather", shape, axis);
    const Around around(shape, a);
    const GatherParams p{around.outer, shape[a], around.inner, ids.count(), input.dtype()};
    const auto list = ids.i32();
    const std::int64_t bad = cpu::embeddingFirstOutside(p.n, p.axis, list.data());
    SB_REQUIRE(bad < 0, "gather: id " + std::to_string(list[std::size_t(bad)]) + " at position " +
                            std::to_string(bad) + " is outside axis " + std::to_string(axis) +
                            " of " + input.describe());
    shape[a] = p.n;
    Tensor output = context_.make(shape, input.dtype());
    cpu::gatherForward(p, input.data(), list.data(), output.data());
    return output;
}

Tensor CpuElementwise::gatherBackward(const Shape& inputShape, int axis, const Tensor& ids,
                                      const Tensor& gradOutput)
{
    const CpuContext::Timer timer(context_, "gather backward");
    requireActivation("gather backward", gradOutput, 0);
    const std::size_t a = axisOf("gather backward", inputShape, axis);
    const Around around(inputShape, a);
    const GatherParams p{around.outer, inputShape[a], around.inner, ids.count(),
                         gradOutput.dtype()};
    SB_REQUIRE(gradOutput.count() == p.outer * p.n * p.inner &&
                   cpu::embeddingFirstOutside(p.n, p.axis, ids.i32().data()) < 0,
               "gather backward: gradient " + gradOutput.describe() +
                   " does not belong to an input " + toString(inputShape));
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
    const std::int64_t n = input.shape().back();
    SB_REQUIRE(k >= 0 && k <= n && n < std::numeric_limits<std::int32_t>::max(),
               "top-k: " + input.describe() + " has no " + std::to_string(k) +
                   " largest on its last axis");
    Shape shape = input.shape();
    shape.back() = k;
    TopK result{context_.make(shape, input.dtype()), context_.make(shape, DType::I32)};
    const TopKParams p{rowsOf(input), n, k, input.dtype()};
    cpu::topK(p, input.data(), result.values.data(), result.indices.i32().data(),
              context_.workspace(cpu::topKScratchBytes(p)));
    return result;
}

} // namespace scalebench::cpu_backend
