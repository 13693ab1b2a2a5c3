// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loops of an LSTM step over the hidden units of one sequence. Formulas:
// kernels/formula/lstm_cell.h. Private to kernels/cpu/lstm.cpp.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu {

/// sums [4H] F32 (gate order i,f,g,o); cPrev, c [H] F32; gates [4H] and h [H] in `dtype`. gates may
/// be sums itself (F32).
void lstmCellForward(DType dtype, std::int64_t H, const float* sums, const float* cPrev,
                     void* gates, float* c, void* h);

/// gates [4H]: replaced by the gradients of the sums. dy [H] in `dtype`, may be null; dh [H] F32 is
/// added to it. dc [H] F32: from the next step, replaced by the one for the step before.
void lstmCellBackward(DType dtype, std::int64_t H, void* gates, const float* cPrev, const float* c,
                      const void* dy, const float* dh, float* dc);

} // namespace scalebench::kernels::cpu
