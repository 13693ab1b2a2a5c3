// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weight gradient of a strided convolution in bf16 by products of panels: what the window sees at
// some pixels of the result is copied, place by place, and multiplied with their gradients.

#include <cstddef>
#include <cstdint>

#include "kernels/conv2d.h"

namespace scalebench::kernels::cpu {

class PanelWeightGradient
{
public:
    using Number = bf16_t; ///< of x and dy
    static constexpr const char* kName = "own:panel_gemm";

    /// Whether this is the fastest way for such a convolution here.
    static bool suits(const Conv2dParams& p);

    explicit PanelWeightGradient(const Conv2dParams& p);

    std::size_t workspaceBytes() const;
    /// dw (KCRS) overwritten. x, dy NHWC.
    void run(const bf16_t* x, const bf16_t* dy, float* dw, void* workspace) const;

private:
    void copyWindows(const bf16_t* x, std::int64_t first, std::int64_t end, bf16_t* to) const;

    Conv2dParams p_;
    std::int64_t pixels_ = 0; ///< of the result that are multiplied at once
};

} // namespace scalebench::kernels::cpu
