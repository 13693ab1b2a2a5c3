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

/// act(batchNorm(input) + residual) with fixed statistics (the backbones of detectors). gamma and
/// beta are fixed too where they have no gradient tensors; then the input is not kept.
Variable frozenBatchNorm(Tape& tape, const BatchNormArgs& args, const Variable& input,
                         const Variable& residual, const ParameterRef& gamma,
                         const ParameterRef& beta, const Tensor& runningMean,
                         const Tensor& runningVar);

} // namespace scalebench::autograd
