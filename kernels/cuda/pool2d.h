// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Max pooling, average pooling and global average pooling on a GPU: as kernels/pool2d.h and
// kernels/avg_pool2d.h. NHWC, F32, BF16 or F16, sums in fp32; device memory, queued on `stream`.
// Backward gathers per input pixel: no atomics, results repeat bit for bit.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/avg_pool2d.h"
#include "kernels/pool2d.h"

namespace scalebench::kernels::cuda {

/// y [N,outH,outW,C] overwritten. argmax: as y, u8: row * window + column of the first largest
/// element in the window; may be null (inference). A NaN in the window wins.
void maxPoolForward(const MaxPoolParams& p, const void* x, void* y, std::uint8_t* argmax,
                    cudaStream_t stream);
/// dx [N,H,W,C] overwritten.
void maxPoolBackward(const MaxPoolParams& p, const void* dy, const std::uint8_t* argmax, void* dx,
                     cudaStream_t stream);

/// y [N,outH,outW,C] overwritten.
void avgPoolForward(const AvgPoolParams& p, const void* x, void* y, cudaStream_t stream);
/// dx [N,H,W,C] overwritten.
void avgPoolBackward(const AvgPoolParams& p, const void* dy, void* dx, cudaStream_t stream);

/// Bytes of scratch for globalAvgPoolForward().
std::size_t globalAvgPoolScratchBytes(const GlobalAvgPoolParams& p);
/// y [N,C] = mean of x [N,H,W,C] over H and W, overwritten. scratch: 8-byte aligned.
void globalAvgPoolForward(const GlobalAvgPoolParams& p, const void* x, void* y, void* scratch,
                          cudaStream_t stream);
/// dx overwritten with dy / (H * W).
void globalAvgPoolBackward(const GlobalAvgPoolParams& p, const void* dy, void* dx,
                           cudaStream_t stream);

} // namespace scalebench::kernels::cuda
