// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Element by element operations, casts, column sums and the parameter-free shortcut of the CIFAR
// residual networks. dtype is F32 or BF16; arithmetic is fp32.

#include <cstddef>
#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

/// Option-A shortcut (arXiv 1512.03385, section 3.3): keep every `stride`-th pixel and add zero
/// channels at the end.
struct ShortcutPadParams {
    std::int64_t N = 1, H = 1, W = 1, C = 1; ///< input
    std::int64_t K = 1, stride = 2;          ///< output channels >= C
    DType dtype = DType::F32;
    std::int64_t outH() const { return (H + stride - 1) / stride; }
    std::int64_t outW() const { return (W + stride - 1) / stride; }
};

namespace kernels::cpu {

/// y += x; n elements.
void addInPlace(DType dtype, std::int64_t n, const void* x, void* y);
/// y = max(x, 0); NaN stays NaN. y may be x.
void reluForward(DType dtype, std::int64_t n, const void* x, void* y);
/// dx = dy where y > 0, else 0. dx may be dy.
void reluBackward(DType dtype, std::int64_t n, const void* y, const void* dy, void* dx);

/// y = x, rounded to nearest even; NaN stays NaN (quiet), infinities stay.
void castF32ToBf16(std::int64_t n, const float* x, bf16_t* y);
void castBf16ToF32(std::int64_t n, const bf16_t* x, float* y);

/// sums[c] = sum over rows of x[r,c] (bias gradients), or added to it when `accumulate`.
void columnSums(DType dtype, std::int64_t rows, std::int64_t C, const void* x, float* sums,
                bool accumulate);

/// x [N,H,W,C] -> y [N,outH,outW,K], overwritten.
void shortcutPadForward(const ShortcutPadParams& p, const void* x, void* y);
/// dy as y -> dx as x, overwritten (zero where a pixel was skipped).
void shortcutPadBackward(const ShortcutPadParams& p, const void* dy, void* dx);

} // namespace kernels::cpu
} // namespace scalebench
