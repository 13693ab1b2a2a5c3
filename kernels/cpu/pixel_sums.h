// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weighted sums of pixels (C values side by side) in fp32, as pooling and resizing need them.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cpu {

/// sum += factor * x.
void addPixel(const float* x, float factor, float* sum, std::int64_t C);
void addPixel(const bf16_t* x, float factor, float* sum, std::int64_t C);

/// y = sum.
void storePixel(const float* sum, float* y, std::int64_t C);
void storePixel(const float* sum, bf16_t* y, std::int64_t C);

} // namespace scalebench::kernels::cpu
