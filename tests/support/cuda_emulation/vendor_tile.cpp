// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/cuda_emulation/vendor_math.h"

namespace scalebench::emulation {

__attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4"))) void
multiplyTile(std::int64_t rows, std::int64_t columns, std::int64_t depth, const float* a,
             std::int64_t aStride, const float* b, std::int64_t bStride, float (*acc)[kTileRows])
{
    for (std::int64_t k = 0; k < depth; ++k) {
        const float* __restrict from = a + k * aStride;
        for (std::int64_t c = 0; c < columns; ++c) {
            const float factor = b[c * bStride + k];
            float* __restrict to = acc[c];
            for (std::int64_t i = 0; i < rows; ++i)
                to[i] += from[i] * factor;
        }
    }
}

} // namespace scalebench::emulation
