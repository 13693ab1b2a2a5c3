// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The k largest of each row on a GPU, largest first: as kernels/top_k.h, ties by the lower index.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/top_k.h"

namespace scalebench::kernels::cuda {

/// Bytes of scratch for topK().
std::size_t topKScratchBytes(const TopKParams& p);
/// x [rows,n] F32, BF16 or F16 -> values [rows,k] in p.dtype, indices [rows,k], both overwritten.
/// Device memory, queued on `stream`; scratch 8-byte aligned. A block per row: a radix select of
/// the k-th largest, then a bitonic sort of what is not smaller (k log^2 k).
void topK(const TopKParams& p, const void* x, void* values, std::int32_t* indices, void* scratch,
          cudaStream_t stream);

} // namespace scalebench::kernels::cuda
