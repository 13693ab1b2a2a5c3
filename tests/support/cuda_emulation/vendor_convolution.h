// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The convolutions of the stand-in for cuDNN, on NHWC tensors and KRSC weights.

#include "support/cuda_emulation/vendor_math.h"

namespace scalebench::emulation {

struct ConvolutionSizes {
    enum Direction { Forward, Data, Weight } direction = Forward;
    std::int64_t N = 1, H = 1, W = 1, C = 1, K = 1, R = 1, S = 1, groups = 1;
    std::int64_t padding = 0, stride = 1, dilation = 1;

    std::int64_t P() const { return (H + 2 * padding - dilation * (R - 1) - 1) / stride + 1; }
    std::int64_t Q() const { return (W + 2 * padding - dilation * (S - 1) - 1) / stride + 1; }
};

/// Of all tensors in one type; what the direction computes is overwritten.
struct ConvolutionMemory {
    void* x = nullptr;
    void* w = nullptr;
    void* y = nullptr;
    const void* bias = nullptr; ///< Forward; may be null
    Element type = Element::F32;
    bool relu = false;
    bool tf32 = false; ///< f32 operands rounded to 10 bits, as TF32 tensor cores do
};

void convolve(const ConvolutionSizes& s, const ConvolutionMemory& m);

} // namespace scalebench::emulation
