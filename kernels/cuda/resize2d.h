// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Resizing of images on a GPU: as kernels/resize2d.h. NHWC, F32, BF16 or F16, arithmetic in fp32;
// device memory, queued on `stream`. Backward gathers per input pixel: no atomics, results repeat
// bit for bit.

#include <cuda_runtime_api.h>

#include "kernels/resize2d.h"

namespace scalebench::kernels::cuda {

/// y [N,outH,outW,C] overwritten.
void resize2dForward(const Resize2dParams& p, const void* x, void* y, cudaStream_t stream);
/// dx [N,H,W,C] overwritten.
void resize2dBackward(const Resize2dParams& p, const void* dy, void* dx, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
