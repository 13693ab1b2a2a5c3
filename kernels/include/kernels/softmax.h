// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Softmax over the last axis: y = exp(x - max x) / sum exp(x - max x). x, y [rows,C] in one type,
// F32 or BF16; arithmetic is fp32. Sizes of 0 do nothing.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu {

/// y overwritten; may be x.
void softmaxForward(DType dtype, std::int64_t rows, std::int64_t C, const void* x, void* y);
/// dx = y (dy - sum over the row of y dy), overwritten; may be dy.
void softmaxBackward(DType dtype, std::int64_t rows, std::int64_t C, const void* y, const void* dy,
                     void* dx);

} // namespace scalebench::kernels::cpu
