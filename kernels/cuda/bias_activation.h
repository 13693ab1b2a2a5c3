// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Bias and activation behind a product or convolution where the library does not fuse them, and the
// conversion of a bias for where it does.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/types.h"

namespace scalebench::kernels::cuda {

/// y[r,c] = a(x[r,c] + bias[c]); `kept` (may be null) gets x + bias. x, kept, y: [rows, columns] in
/// `dtype` (F32, BF16, F16); bias F32 [columns] or null. y or kept may be x.
void biasActivation(Activation a, DType dtype, std::int64_t rows, std::int64_t columns,
                    const void* x, const float* bias, void* kept, void* y, cudaStream_t stream);

/// n elements from F32 to BF16 or F16, to nearest even.
void castFromF32(DType dtype, std::int64_t n, const float* from, void* to, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
