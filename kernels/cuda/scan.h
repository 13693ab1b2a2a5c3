// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Prefix sums of counts in device memory: tiles by one block each, then the sums of the tiles by
// one block, then the two together.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace scalebench::kernels::cuda {

/// Bytes of scratch of exclusiveScan().
std::size_t scanScratch(std::int64_t n);
/// x[i] becomes the sum of all before it, in place; `total` (device memory, may be null) gets the
/// sum of all. Sums must stay below 2^31.
void exclusiveScan(std::int64_t n, std::int32_t* x, std::int32_t* total, void* scratch,
                   cudaStream_t stream);

} // namespace scalebench::kernels::cuda
