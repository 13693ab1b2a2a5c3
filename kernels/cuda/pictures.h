// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures from bytes to normalised floats: kernels/pictures.h on a GPU.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/pictures.h"

namespace scalebench::kernels::cuda {

/// from: U8 [n,H,W,3]; changes: n; scale: one; to: F32 [n,H,W,3]. All in device memory.
void normalisePictures(std::int64_t n, int H, int W, const std::uint8_t* from,
                       const PictureChange* changes, const PictureScale* scale, float* to,
                       cudaStream_t stream);

} // namespace scalebench::kernels::cuda
