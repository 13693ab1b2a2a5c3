// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the recurrent layers of every device check and work out from their arguments. All throw
// InvalidArgument naming the op; what lengths hold is not looked at.

#include <cstddef>
#include <span>

#include "engine/backend/ops/recurrent_ops.h"
#include "kernels/lstm.h"

namespace scalebench {

/// Parameters (of the first direction) of a call whose input is an activation with three axes.
LstmParams lstmParams(const Tensor& input, std::span<const LstmWeights> directions,
                      const Tensor& lengths, const LstmState& initial);
/// Unless what backward gets fits to the parameters.
void requireLstmGradients(const LstmParams& p, const Tensor& output, const LstmSaved& saved,
                          const LstmOutput& gradOutput, std::size_t directions,
                          std::span<const LstmWeightGradients> gradWeights);

/// Part `direction` of a tensor whose first axis is the direction; null where it is undefined.
void* directionOf(const Tensor& t, std::size_t direction, std::size_t directions);
/// The first column of one direction in an output [T,B,D*H].
void* directionColumn(const Tensor& output, const LstmParams& p, std::size_t direction);

} // namespace scalebench
