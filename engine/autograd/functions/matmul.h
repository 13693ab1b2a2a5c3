// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products on the tape: each function calls the backend forward and records how to go back.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

/// act(input weight^T + bias): input [...,in]; weight [out,in]; bias [out] (may be undefined);
/// returns [...,out] in args.outputType. Nothing is computed for the gradient of a constant input.
Variable linear(Tape& tape, const Variable& input, const ParameterRef& weight,
                const ParameterRef& bias, const LinearArgs& args = {});

/// As linear(), with the output in the type of the input.
Variable linearLike(Tape& tape, const Variable& input, const ParameterRef& weight,
                    const ParameterRef& bias, Activation activation = Activation::None);

/// op(a) op(b) for activations: a [...,M,K], b [...,K,N] with equal leading axes; the result and
/// the gradients have the type of a.
Variable matmul(Tape& tape, const Variable& a, const Variable& b, bool transA = false,
                bool transB = false);

} // namespace scalebench::autograd
