// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Elementwise ops, reductions and data movement in double precision. Shapes are outermost first.

#include <cstdint>
#include <vector>

#include "kernels/activation.h"
#include "kernels/broadcast.h"
#include "kernels/reduce.h"
#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

using Sizes = std::vector<std::int64_t>;

Values activationForward(Activation a, const Values& x);
/// numpy's broadcasting.
Values binaryForward(BinaryOp op, const Sizes& shapeA, const Sizes& shapeB, const Values& a,
                     const Values& b);
/// Over the axes marked.
Values reduceForward(ReduceOp op, const Sizes& shape, const std::vector<bool>& reduced,
                     const Values& x);
/// shapes[i] of parts[i]; axis from 0.
Values concatForward(const std::vector<Sizes>& shapes, const std::vector<Values>& parts, int axis);
/// y axis i is x axis order[i].
Values permuteForward(const Sizes& shape, const std::vector<int>& order, const Values& x);
/// Entries ids of an axis; a slice is the case of neighbouring ids.
Values gatherForward(const Sizes& shape, int axis, const std::vector<std::int32_t>& ids,
                     const Values& x);

} // namespace scalebench::kernels::ref
