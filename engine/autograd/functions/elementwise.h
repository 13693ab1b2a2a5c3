// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Element by element operations on the tape: each function calls the backend forward and records
// how to go back.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

Variable relu(Tape& tape, const Variable& input);

Variable add(Tape& tape, const Variable& a, const Variable& b);

} // namespace scalebench::autograd
