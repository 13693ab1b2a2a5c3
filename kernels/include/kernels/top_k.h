// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The k largest of each row, largest first. Equal values come in the order of their index, so that
// every device and thread count picks the same; NaN counts as larger than anything, as in torch.

#include <cstddef>
#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct TopKParams {
    std::int64_t rows = 1, n = 1; ///< n < 2^31
    std::int64_t k = 1;           ///< at most n
    DType dtype = DType::F32;
};

namespace kernels::cpu {

std::size_t topKScratchBytes(const TopKParams& p);
/// x [rows,n] -> values [rows,k] in p.dtype, indices [rows,k], both overwritten. scratch: 8-byte
/// aligned.
void topK(const TopKParams& p, const void* x, void* values, std::int32_t* indices, void* scratch);

} // namespace kernels::cpu
} // namespace scalebench
