// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products on the tape: each function calls the backend forward and records how to go back.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

/// input [N,in]; weight [out,in]; bias [out] (may be undefined); returns [N,out] F32.
Variable linear(Tape& tape, const Variable& input, const ParameterRef& weight,
                const ParameterRef& bias);

} // namespace scalebench::autograd
