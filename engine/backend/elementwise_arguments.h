// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the adapters of the elementwise family share on every device: the checks of arguments, the
// shapes of results and the parameters of the kernels. Element types are the adapter's to check.
// Failures throw InvalidArgument, or Unsupported where kernels have a limit.

#include <string>
#include <vector>

#include "engine/backend/ops/elementwise_ops.h"
#include "kernels/dropout.h"
#include "kernels/gather.h"
#include "kernels/permute.h"
#include "kernels/top_k.h"

namespace scalebench {

BroadcastParams broadcastParams(BinaryOp op, const Tensor& a, const Tensor& b);
/// Of operands that fit together.
Shape broadcastShape(const Tensor& a, const Tensor& b);
/// `gradOutput` is of the type of a and b and of the shape they give.
void requireBinaryGradient(BinaryOp op, const Tensor& a, const Tensor& b, const Tensor& gradOutput);
/// Axes of `result` along which an operand of shape `operand` repeats; empty when it does not.
std::vector<int> repeatedAxes(const Shape& operand, const Shape& result);

DropoutParams dropoutParams(const char* op, const Tensor& input, const DropoutArgs& args);

/// Number of an axis that may count from the end.
std::size_t axisOf(const char* op, const Shape& shape, int axis);

/// A shape around one axis: rows before it, elements behind it.
struct Around {
    std::int64_t outer = 1, inner = 1;
    Around(const Shape& shape, std::size_t axis);
};

/// By axis; no axes given means all.
std::vector<bool> reducedAxes(const Shape& shape, const std::vector<int>& axes);
ReduceParams reduceParams(ReduceOp op, const Shape& shape, DType inputType, DType outputType,
                          const std::vector<bool>& reduced);
Shape reducedShape(const Shape& shape, const std::vector<bool>& reduced, bool keepAxes);
/// Positions that the gradient of a maximum wants fit into I32.
void requireCountable(const Tensor& input);
/// argmax is looked at for ReduceOp::Max only.
void requireReduceGradient(const ReduceParams& p, const Shape& inputShape, const Tensor& gradOutput,
                           const Tensor& argmax);

Shape concatShape(const std::vector<Tensor>& parts, int axis);
Shape sliceShape(const Tensor& input, int axis, std::int64_t begin, std::int64_t end);
void requireSliceGradient(const Shape& inputShape, int axis, std::int64_t begin,
                          const Tensor& gradOutput);
/// `shape` gets the result's.
PermuteParams permuteParams(const Tensor& input, const std::vector<int>& order, Shape& shape);
/// ids are I32; their values are the adapter's to check.
GatherParams gatherParams(const Shape& inputShape, int axis, const Tensor& ids, DType dtype);
void requireGatherGradient(const GatherParams& p, const Shape& inputShape,
                           const Tensor& gradOutput);
TopKParams topKParams(const Tensor& input, std::int64_t k);

} // namespace scalebench
