// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Softmax over the last axis on a GPU: as kernels/softmax.h, in F32, BF16 and F16. Device pointers;
// deterministic. Rows of up to 1024 elements are read once; longer ones up to three times.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cuda {

/// y overwritten; may be x.
void softmaxForward(DType dtype, std::int64_t rows, std::int64_t C, const void* x, void* y,
                    cudaStream_t stream);
/// dx = y (dy - sum over the row of y dy), overwritten; may be dy.
void softmaxBackward(DType dtype, std::int64_t rows, std::int64_t C, const void* y, const void* dy,
                     void* dx, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
