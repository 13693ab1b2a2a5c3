// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Winograd's convolution in bf16 (conv_winograd.h), F(4x4, 3x3): transforms in fp32, products in
// 16-bit fixed point.

#include <cstddef>

#include "kernels/conv2d.h"
#include "kernels/types.h"

namespace scalebench::kernels::cpu {

struct FixedWinograd {
    Conv2dParams p;
    int tasks = 1;

    std::size_t workspaceBytes() const;

    /// w: the master weight KCRS. y, dx and dw (KCRS) overwritten; bias may be null.
    void forward(const bf16_t* x, const float* w, const float* bias, bf16_t* y,
                 void* workspace) const;
    void dataGradient(const bf16_t* dy, const float* w, bf16_t* dx, void* workspace) const;
    void weightGradient(const bf16_t* x, const bf16_t* dy, float* dw, void* workspace) const;
};

} // namespace scalebench::kernels::cpu
