// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Resizing of images, nearest neighbour or bilinear, as torch.nn.functional.interpolate does with
// align_corners=false: pixels are areas, and pixel i of the output looks at the place
// (i + 0.5) * in / out - 0.5 of the input, not below 0. x [N,H,W,C] -> y [N,outH,outW,C], NHWC, F32
// or BF16; arithmetic is fp32.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

enum class ResizeMode : std::uint8_t {
    Nearest, ///< y[i] = x[floor(i * in / out)]
    Bilinear
};

struct Resize2dParams {
    std::int64_t N = 1, H = 1, W = 1, C = 1;
    std::int64_t outH = 1, outW = 1;
    ResizeMode mode = ResizeMode::Nearest;
    DType dtype = DType::F32;
};

namespace kernels::cpu {

/// y overwritten.
void resize2dForward(const Resize2dParams& p, const void* x, void* y);
/// dx [N,H,W,C] overwritten.
void resize2dBackward(const Resize2dParams& p, const void* dy, void* dx);

} // namespace kernels::cpu
} // namespace scalebench
