// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Elementary passes over fp32 vectors in device memory, as kernels/vector_ops.h. The output may be
// an input; n may be 0.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace scalebench::kernels::cuda {

/// y = a * x
void scale(std::int64_t n, float a, const float* x, float* y, cudaStream_t stream);
/// y += a * x
void axpy(std::int64_t n, float a, const float* x, float* y, cudaStream_t stream);
/// z = x * y
void multiply(std::int64_t n, const float* x, const float* y, float* z, cudaStream_t stream);
/// z = x / y
void divide(std::int64_t n, const float* x, const float* y, float* z, cudaStream_t stream);
/// y = sqrt(x)
void squareRoot(std::int64_t n, const float* x, float* y, cudaStream_t stream);
/// y = x + a
void addScalar(std::int64_t n, float a, const float* x, float* y, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
