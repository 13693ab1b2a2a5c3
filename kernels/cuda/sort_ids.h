// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stable sorting of ids or numbers with their positions: a radix sort by 8 bits a pass, least
// significant first (Merrill and Grimshaw, "High performance and scalable radix sorting", Parallel
// Processing Letters 21(2), 2011: count per tile, scan, scatter). The result does not depend on how
// the blocks run. Passes grow with the bound of the keys, not with
// their number.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/bad_index.h"

namespace scalebench::kernels::cuda {

/// Bytes of scratch of the calls below, 4-byte aligned.
std::size_t sortScratch(std::int64_t n);
/// keys [n] ascending and positions [n], where each lies in ids [n]; equal keys in the order of
/// their positions. Ids equal to `skip` and ids outside [0, bound), which are noted in `bad`, come
/// last, with the key `bound`. n and bound below 2^31.
void sortIds(std::int64_t n, std::int64_t bound, const std::int32_t* ids, std::int32_t skip,
             BadIndex bad, std::int32_t* keys, std::int32_t* positions, void* scratch,
             cudaStream_t stream);

/// positions [n] of the numbers x [n] from the largest to the smallest, equal ones in the order of
/// their positions, NaN as -infinity. keys [n] gets what was sorted by.
void sortFalling(std::int64_t n, const float* x, std::uint32_t* keys, std::int32_t* positions,
                 void* scratch, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
