// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Activation functions as ops of their own (after a matrix product they are its epilogue).
// Formulas: kernels/formula/activation.h.

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/types.h"

namespace scalebench {

/// True where backward needs the input of the activation; else it needs the output.
constexpr bool activationKeepsInput(Activation a)
{
    return a == Activation::GeluErf || a == Activation::GeluTanh;
}

namespace kernels::cpu {

/// y = a(x), n elements of F32 or BF16. y may be x.
void activationForward(Activation a, DType dtype, std::int64_t n, const void* x, void* y);
/// dx = dy a'; kept: x or y as activationKeepsInput() says. dx may be dy or kept.
void activationBackward(Activation a, DType dtype, std::int64_t n, const void* kept, const void* dy,
                        void* dx);

} // namespace kernels::cpu
} // namespace scalebench
