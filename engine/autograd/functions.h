// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One function per (fused) op: calls the backend forward and records how to go back. Models and
// layers call these and never name a device. A ParameterRef says where the gradient of a parameter
// goes; it is reported ready when written.

#include <cstdint>

#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench {

/// A parameter as an op needs it: value, gradient (views into the arenas, F32), index, version.
struct ParameterRef {
    Tensor value, gradient;
    int index = -1;
    std::uint64_t version = 0;
    bool defined() const noexcept { return value.defined(); }
};

namespace autograd {

/// input [N,H,W,C]; weight [K,C,R,S]; returns [N,outH,outW,K] in the type of the input. No data
/// gradient is computed for a constant input.
Variable conv2d(Tape& tape, const Variable& input, const ParameterRef& weight, int stride,
                int padding);

/// act(batchNorm(input) + residual); residual may be a default Variable. training: batch
/// statistics over all workers of `reducer`, runningMean and runningVar are updated.
Variable batchNorm(Tape& tape, const BatchNormArgs& args, const Variable& input,
                   const Variable& residual, const ParameterRef& gamma, const ParameterRef& beta,
                   const Tensor& runningMean, const Tensor& runningVar, bool training,
                   const StatReducer& reducer);

/// input [N,in]; weight [out,in]; bias [out] (may be undefined); returns [N,out] F32.
Variable linear(Tape& tape, const Variable& input, const ParameterRef& weight,
                const ParameterRef& bias);

Variable maxPool(Tape& tape, const Variable& input, int window, int stride, int padding);
/// [N,H,W,C] -> [N,C].
Variable globalAvgPool(Tape& tape, const Variable& input);
/// Option-A shortcut: every `stride`-th pixel, zero channels added up to `channels`.
Variable shortcutPad(Tape& tape, const Variable& input, std::int64_t channels, std::int64_t stride);
Variable relu(Tape& tape, const Variable& input);
Variable add(Tape& tape, const Variable& a, const Variable& b);

} // namespace autograd
} // namespace scalebench
