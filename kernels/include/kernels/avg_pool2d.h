// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Average pooling with a square window. NHWC, F32 or BF16; sums in fp32. Global average pooling is
// in pool2d.h.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct AvgPoolParams {
    std::int64_t N = 1, H = 1, W = 1, C = 1;
    std::int64_t window = 2, stride = 2, padding = 0; ///< padding <= window / 2
    bool countPadding = true; ///< divide by window * window everywhere (torch's default)
    DType dtype = DType::F32;
    std::int64_t outH() const { return (H + 2 * padding - window) / stride + 1; }
    std::int64_t outW() const { return (W + 2 * padding - window) / stride + 1; }
};

namespace kernels::cpu {

/// y [N,outH,outW,C] overwritten.
void avgPoolForward(const AvgPoolParams& p, const void* x, void* y);
/// dx [N,H,W,C] overwritten.
void avgPoolBackward(const AvgPoolParams& p, const void* dy, void* dx);

} // namespace kernels::cpu
} // namespace scalebench
