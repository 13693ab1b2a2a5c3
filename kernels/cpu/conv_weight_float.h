// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weight gradient of a convolution in fp32 as one product over all pixels, with the shifted inputs
// of the window's places copied block by block as the product reads them: no copy of the whole
// input is made.

#include <cstddef>
#include <cstdint>

#include "kernels/conv2d.h"

namespace scalebench::kernels::cpu {

class FloatWeightGradient
{
public:
    using Number = float; ///< of x and dy
    static constexpr const char* kName = "own:float_gemm";

    /// Whether this is the fastest way for such a convolution here, by a table of measurements.
    static bool suits(const Conv2dParams& p);

    explicit FloatWeightGradient(const Conv2dParams& p);

    std::size_t workspaceBytes() const;
    /// dw (KCRS) overwritten. x, dy NHWC.
    void run(const float* x, const float* dy, float* dw, void* workspace) const;

private:
    Conv2dParams p_;
    int tasks_ = 1;
};

} // namespace scalebench::kernels::cpu
