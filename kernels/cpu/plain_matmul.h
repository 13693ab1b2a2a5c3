// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Products from the definition, for the few forms that neither oneDNN nor our own products do.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/matmul.h"

namespace scalebench::kernels::cpu {

/// Elements between two rows: what is given, or no gap.
inline std::int64_t leading(std::int64_t given, std::int64_t dense)
{
    return given > 0 ? given : std::max<std::int64_t>(dense, 1);
}

/// Products without a sum, and those with a vector whose elements lie apart, as A or as C. oneDNN
/// 3.7.2 reads such a one as if they did not (brg_matmul with AVX-512), and no stride of the other
/// dimension makes it right. No network has them.
bool shallBePlain(const MatmulParams& p);

/// The packed B: [K,N] without gaps, of the inputs' type; 0 bytes where p has none.
std::size_t plainPackedBytes(const MatmulParams& p);
void packPlain(const MatmulParams& p, const float* b, void* packed);

/// C = act(A B + bias), or C += A B, summed in double. Arguments as MatmulPlan::run() has them.
void runPlain(const MatmulParams& p, const void* a, const void* b, const float* bias, void* c);

} // namespace scalebench::kernels::cpu
