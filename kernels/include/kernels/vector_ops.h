// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Elementary passes over fp32 vectors: what an optimizer is made of when it is not fused, and the
// yardstick for what fusing gains. Output arrays may be the input arrays; n may be 0.

#include <cstdint>

namespace scalebench::kernels::cpu {

/// y = a * x
void scale(std::int64_t n, float a, const float* x, float* y);
/// y += a * x
void axpy(std::int64_t n, float a, const float* x, float* y);
/// z = x * y
void multiply(std::int64_t n, const float* x, const float* y, float* z);
/// z = x / y
void divide(std::int64_t n, const float* x, const float* y, float* z);
/// y = sqrt(x)
void squareRoot(std::int64_t n, const float* x, float* y);
/// y = x + a
void addScalar(std::int64_t n, float a, const float* x, float* y);

} // namespace scalebench::kernels::cpu
