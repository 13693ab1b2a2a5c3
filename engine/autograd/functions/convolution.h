// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions on the tape: each function calls the backend forward and records how to go back.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

/// input [N,H,W,C]; weight [K,C,R,S]; returns [N,outH,outW,K] in the type of the input. No data
/// gradient is computed for a constant input.
Variable conv2d(Tape& tape, const Variable& input, const ParameterRef& weight, int stride,
                int padding);

} // namespace scalebench::autograd
