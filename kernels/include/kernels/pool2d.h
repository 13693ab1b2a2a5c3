// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Max pooling with a square window and global average pooling. NHWC, F32 or BF16.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct MaxPoolParams {
    std::int64_t N = 1, H = 1, W = 1, C = 1;
    std::int64_t window = 3, stride = 2, padding = 1; ///< window <= 15, padding < window
    DType dtype = DType::F32;
    std::int64_t outH() const { return (H + 2 * padding - window) / stride + 1; }
    std::int64_t outW() const { return (W + 2 * padding - window) / stride + 1; }
};

struct GlobalAvgPoolParams {
    std::int64_t N = 1, H = 1, W = 1, C = 1;
    DType dtype = DType::F32;
};

namespace kernels::cpu {

/// y [N,outH,outW,C] overwritten. argmax: as y, u8: row * window + column of the first largest
/// element in the window; may be null (inference). A NaN in the window wins.
void maxPoolForward(const MaxPoolParams& p, const void* x, void* y, std::uint8_t* argmax);
/// dx [N,H,W,C] overwritten.
void maxPoolBackward(const MaxPoolParams& p, const void* dy, const std::uint8_t* argmax, void* dx);

/// y [N,C] = mean of x [N,H,W,C] over H and W, overwritten.
void globalAvgPoolForward(const GlobalAvgPoolParams& p, const void* x, void* y);
/// dx overwritten with dy / (H * W).
void globalAvgPoolBackward(const GlobalAvgPoolParams& p, const void* dy, void* dx);

} // namespace kernels::cpu
} // namespace scalebench
