// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights of convolutions between the order of the parameters, F32 [K,C,R,S] ("OIHW"), and the one
// of NHWC convolutions, [K,R,S,C] ("KRSC"). C: channels of a group; taps: R * S.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/types.h"

namespace scalebench::kernels::cuda {

/// packed [K,taps,C] in `dtype` (F32, BF16, F16; to nearest even) from w F32 [K,C,taps].
void packConvWeight(DType dtype, std::int64_t K, std::int64_t C, std::int64_t taps, const float* w,
                    void* packed, cudaStream_t stream);

/// dw F32 [K,C,taps] from packed [K,taps,C] in `dtype`; overwritten, or added to.
void unpackConvGradient(DType dtype, std::int64_t K, std::int64_t C, std::int64_t taps,
                        const void* packed, float* dw, bool accumulate, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
