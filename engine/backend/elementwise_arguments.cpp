// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/elementwise_arguments.h"

#include <limits>

#include "kernels/check.h"

namespace scalebench {

BroadcastParams broadcastParams(BinaryOp op, const Tensor& a, const Tensor& b)
{
    const std::string name = binaryOpName(op);
    SB_REQUIRE(b.defined() && a.dtype() == b.dtype(),
               name + ": " + a.describe() + " and " + b.describe() + " must have one type");
    BroadcastParams p;
    Shape shape;
    SB_REQUIRE(BroadcastParams::resultShape(a.shape(), b.shape(), shape),
               name + ": the shapes of " + a.describe() + " and " + b.describe() +
                   " cannot be broadcast together");
    if (!BroadcastParams::make(op, a.dtype(), a.shape(), b.shape(), p))
        throw Unsupported(name + ": " + a.describe() + " and " + b.describe() + " repeat over " +
                          "more than " + std::to_string(BroadcastParams::kMaxAxes) + " axes");
    return p;
}

Shape broadcastShape(const Tensor& a, const Tensor& b)
{
    Shape shape;
    BroadcastParams::resultShape(a.shape(), b.shape(), shape);
    return shape;
}

void requireBinaryGradient(BinaryOp op, const Tensor& a, const Tensor& b, const Tensor& gradOutput)
{
    SB_REQUIRE(gradOutput.dtype() == a.dtype() && gradOutput.shape() == broadcastShape(a, b),
               std::string(binaryOpName(op)) + " backward: gradient " + gradOutput.describe() +
                   " does not belong to " + a.describe() + " and " + b.describe());
}

std::vector<int> repeatedAxes(const Shape& operand, const Shape& result)
{
    const std::size_t lead = result.size() - operand.size();
    std::vector<int> axes;
    for (std::size_t i = 0; i < result.size(); ++i)
        if (i < lead || operand[i - lead] != result[i])
            axes.push_back(int(i));
    return axes;
}

DropoutParams dropoutParams(const char* op, const Tensor& input, const DropoutArgs& args)
{
    SB_REQUIRE(args.probability >= 0.0f && args.probability < 1.0f,
               std::string(op) + ": the probability must be in [0,1), not " +
                   std::to_string(args.probability));
    DropoutParams p;
    p.n = input.count();
    p.probability = args.probability;
    p.seed = args.key;
    p.offset = args.offset;
    p.dtype = input.dtype();
    p.step = args.step;
    return p;
}

std::size_t axisOf(const char* op, const Shape& shape, int axis)
{
    const int rank = int(shape.size());
    SB_REQUIRE(axis >= -rank && axis < rank,
               std::string(op) + ": " + toString(shape) + " has no axis " + std::to_string(axis));
    return std::size_t(axis < 0 ? axis + rank : axis);
}

Around::Around(const Shape& shape, std::size_t axis)
{
    for (std::size_t i = 0; i < shape.size(); ++i)
        (i < axis ? outer : inner) *= i == axis ? 1 : shape[i];
}

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

Shape reducedShape(const Shape& shape, const std::vector<bool>& reduced, bool keepAxes)
{
    Shape result;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (!reduced[i] || keepAxes)
            result.push_back(reduced[i] ? 1 : shape[i]);
    return result.empty() ? Shape{1} : result;
}

void requireCountable(const Tensor& input)
{
    if (input.count() > std::numeric_limits<std::int32_t>::max())
        throw Unsupported("maximum of " + input.describe() + ": positions are kept in 31 bits");
}

void requireReduceGradient(const ReduceParams& p, const Shape& inputShape, const Tensor& gradOutput,
                           const Tensor& argmax)
{
    SB_REQUIRE(gradOutput.count() == p.outputCount() &&
                   (p.op != ReduceOp::Max || argmax.count() == p.outputCount()),
               "reduction backward: gradient " + gradOutput.describe() +
                   " does not belong to an input " + toString(inputShape));
}

Shape concatShape(const std::vector<Tensor>& parts, int axis)
{
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
    return shape;
}

Shape sliceShape(const Tensor& input, int axis, std::int64_t begin, std::int64_t end)
{
    Shape shape = input.shape();
    const std::size_t a = axisOf("slice", shape, axis);
    SB_REQUIRE(begin >= 0 && begin <= end && end <= shape[a],
               "slice: " + input.describe() + " has no entries " + std::to_string(begin) + " to " +
                   std::to_string(end) + " on axis " + std::to_string(axis));
    shape[a] = end - begin;
    return shape;
}

void requireSliceGradient(const Shape& inputShape, int axis, std::int64_t begin,
                          const Tensor& gradOutput)
{
    const std::size_t a = axisOf("slice backward", inputShape, axis);
    Shape expected = inputShape;
    expected[a] = gradOutput.shape().size() == inputShape.size() ? gradOutput.dim(a) : -1;
    SB_REQUIRE(gradOutput.shape() == expected && begin >= 0 && begin + expected[a] <= inputShape[a],
               "slice backward: gradient " + gradOutput.describe() +
                   " does not belong to an input " + toString(inputShape));
}

PermuteParams permuteParams(const Tensor& input, const std::vector<int>& order, Shape& shape)
{
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
    shape.clear();
    for (const int axis : axes)
        shape.push_back(input.shape()[std::size_t(axis)]);
    return p;
}

GatherParams gatherParams(const Shape& inputShape, int axis, const Tensor& ids, DType dtype)
{
    const std::size_t a = axisOf("gather", inputShape, axis);
    SB_REQUIRE(ids.dtype() == DType::I32, "gather: ids must be i32, not " + ids.describe());
    const Around around(inputShape, a);
    return {around.outer, inputShape[a], around.inner, ids.count(), dtype};
}

void requireGatherGradient(const GatherParams& p, const Shape& inputShape, const Tensor& gradOutput)
{
    SB_REQUIRE(gradOutput.count() == p.outer * p.n * p.inner,
               "gather backward: gradient " + gradOutput.describe() +
                   " does not belong to an input " + toString(inputShape));
}

TopKParams topKParams(const Tensor& input, std::int64_t k)
{
    const std::int64_t n = input.shape().back();
    SB_REQUIRE(k >= 0 && k <= n && n < std::numeric_limits<std::int32_t>::max(),
               "top-k: " + input.describe() + " has no " + std::to_string(k) +
                   " largest on its last axis");
    return {n == 0 ? 0 : input.count() / n, n, k, input.dtype()};
}

} // namespace scalebench
