// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Axes in another order on a GPU: as kernels/permute.h.

#include <cuda_runtime_api.h>

#include "kernels/permute.h"

namespace scalebench::kernels::cuda {

/// y contiguous, overwritten; x and y do not overlap. Device memory, queued on `stream`.
void permute(const PermuteParams& p, const void* x, void* y, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
