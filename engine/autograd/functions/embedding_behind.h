// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of tables beside what a network has computed, on the tape.

#include <vector>

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"

namespace scalebench::autograd {

/// x [n,width] and behind it, in its type, the columns of embeddingColumns(): [n, width + sum of
/// dim_t]. Backward reads the gradients of the tables where they are.
Variable embeddingColumnsBehind(Tape& tape, const Variable& x,
                                const std::vector<ParameterRef>& tables,
                                const std::vector<Tensor>& ids);

} // namespace scalebench::autograd
