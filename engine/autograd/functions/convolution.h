// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions on the tape: each function calls the backend forward and records how to go back.
// A weight or bias may be used several times in a pass (a head on every level of a pyramid), and
// may be frozen (no gradient tensor): then none is computed. No gradient is computed for a constant
// input either.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

struct Conv2dArgs {
    int stride = 1, padding = 0, dilation = 1, groups = 1;
    bool relu = false;
};

/// input [N,H,W,C]; weight [K,C/groups,R,S]; bias [K], may be undefined; returns [N,outH,outW,K] in
/// the type of the input.
Variable conv2d(Tape& tape, const Variable& input, const ParameterRef& weight,
                const ParameterRef& bias, const Conv2dArgs& args);

/// Transposed convolution with kernel and stride from the weight [C,K,stride,stride]; bias [K], may
/// be undefined; returns [N,H*stride,W*stride,K].
Variable convTranspose2d(Tape& tape, const Variable& input, const ParameterRef& weight,
                         const ParameterRef& bias, bool relu);

} // namespace scalebench::autograd
