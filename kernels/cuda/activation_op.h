// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Activation functions as ops of their own on a GPU: as kernels/activation_op.h. Device memory,
// queued on `stream`; F32, BF16 or F16, arithmetic in fp32 (kernels/formula/activation.h).

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/activation_op.h"

namespace scalebench::kernels::cuda {

/// y = a(x), n elements. y may be x.
void activationForward(Activation a, DType dtype, std::int64_t n, const void* x, void* y,
                       cudaStream_t stream);
/// dx = dy a'; kept: x or y as activationKeepsInput() says. dx may be dy or kept.
void activationBackward(Activation a, DType dtype, std::int64_t n, const void* kept, const void* dy,
                        void* dx, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
