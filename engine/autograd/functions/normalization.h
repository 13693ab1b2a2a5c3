// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Normalisation layers on the tape: each function calls the backend forward and records how to go
// back.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

/// act(batchNorm(input) + residual); residual may be a default Variable. training: batch
/// statistics over all workers of `reducer`, runningMean and runningVar are updated.
Variable batchNorm(Tape& tape, const BatchNormArgs& args, const Variable& input,
                   const Variable& residual, const ParameterRef& gamma, const ParameterRef& beta,
                   const Tensor& runningMean, const Tensor& runningVar, bool training,
                   const StatReducer& reducer);

} // namespace scalebench::autograd
