// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Element by element functions, reductions and data movement on the tape. Axes count from 0,
// negative ones from the end.

#include <cstdint>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

Variable activation(Tape& tape, Activation activation, const Variable& input);
Variable relu(Tape& tape, const Variable& input);

/// numpy's broadcasting; operands of one type.
Variable binary(Tape& tape, BinaryOp op, const Variable& a, const Variable& b);
Variable add(Tape& tape, const Variable& a, const Variable& b);
Variable subtract(Tape& tape, const Variable& a, const Variable& b);
Variable multiply(Tape& tape, const Variable& a, const Variable& b);
Variable divide(Tape& tape, const Variable& a, const Variable& b);
Variable scale(Tape& tape, const Variable& input, float factor);

/// Inverted dropout with a mask from tape.drawRandomKey(), computed again in backward. The input
/// itself for probability 0; call it in training only.
Variable dropout(Tape& tape, const Variable& input, float probability);
/// residual + dropout(input), in one pass.
Variable dropoutAdd(Tape& tape, const Variable& input, const Variable& residual, float probability);

/// Over `axes` (empty: all); keepAxes leaves them with size 1. In the type of the input; the sum of
/// everything is [1].
Variable reduce(Tape& tape, ReduceOp op, const Variable& input, const std::vector<int>& axes,
                bool keepAxes = false);

/// Gradients go back in the type of the input.
Variable cast(Tape& tape, const Variable& input, DType dtype);
/// Same elements, other shape; nothing is copied.
Variable reshape(Tape& tape, const Variable& input, Shape shape);
Variable concat(Tape& tape, const std::vector<Variable>& parts, int axis);
/// Entries [begin, end) of an axis.
Variable slice(Tape& tape, const Variable& input, int axis, std::int64_t begin, std::int64_t end);
/// Axis i of the result is axis order[i] of the input.
Variable permute(Tape& tape, const Variable& input, const std::vector<int>& order);
/// The last two axes exchanged.
Variable transpose(Tape& tape, const Variable& input);
/// Entries ids (I32 [n], constant) of an axis, as torch.index_select.
Variable gather(Tape& tape, const Variable& input, int axis, const Tensor& ids);

} // namespace scalebench::autograd
