// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sum, mean or maximum over axes on a GPU: as kernels/reduce.h. Device memory, queued on `stream`.
// Input and output are F32, BF16 or F16. How a sum is split depends on the shape alone, so results
// repeat bit for bit on every device.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/reduce.h"

namespace scalebench::kernels::cuda {

/// Bytes of scratch for reduceForward().
std::size_t reduceScratchBytes(const ReduceParams& p);
/// y (outputCount() elements, kept axes in order) is overwritten. Sums in fp32, as trees over the
/// threads. An empty sum is 0, an empty mean NaN; an empty maximum is not allowed. argmax (Max
/// only, may be null): position in x of the first largest element (NaN counts as largest), I32; x
/// then has fewer than 2^31 elements. scratch: 8-byte aligned.
void reduceForward(const ReduceParams& p, const void* x, void* y, std::int32_t* argmax,
                   void* scratch, cudaStream_t stream);
/// dx as x, overwritten. Sum and mean: dy repeated (divided by the number of terms); Max: dy at
/// argmax, 0 elsewhere.
void reduceBackward(const ReduceParams& p, const void* dy, const std::int32_t* argmax, void* dx,
                    cudaStream_t stream);

} // namespace scalebench::kernels::cuda
