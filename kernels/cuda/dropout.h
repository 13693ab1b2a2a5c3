// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Dropout on a GPU: as kernels/dropout.h, the same elements kept as on the CPU
// (kernels/formula/dropout.h). Device memory, queued on `stream`; F32, BF16 or F16.

#include <cuda_runtime_api.h>

#include "kernels/dropout.h"

namespace scalebench::kernels::cuda {

/// y[i] = x[i] * factor[i]; its own backward. y may be x. A dropped NaN or infinity stays NaN.
void dropout(const DropoutParams& p, const void* x, void* y, cudaStream_t stream);
/// y[i] = residual[i] + x[i] * factor[i], rounded once. y may be x or residual.
void dropoutAdd(const DropoutParams& p, const void* x, const void* residual, void* y,
                cudaStream_t stream);

} // namespace scalebench::kernels::cuda
