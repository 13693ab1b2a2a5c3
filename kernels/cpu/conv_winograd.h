// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions of 3x3 windows in fp32 with 2.25 times fewer multiplications: Winograd's minimal
// filtering F(2x2, 3x3) (Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR
// 2016). Of each 2x2 tile of the result
//   Y = A' [ (G g G') o (B' d B) ] A      d: the 4x4 pixels that the tile sees, g: the window
// and the products over channels are 16 matrix products, one for each place of the 4x4. Backward:
//   dd by the same with the windows turned round;  dg = G' [ sum (B' d B) o (A dY A') ] G.
// The transforms add and halve only; the rounding of the result is about twice a direct sum's.

#include <cstddef>
#include <cstdint>

#include "kernels/conv2d.h"

namespace scalebench::kernels::cpu {

class WinogradConvolution
{
public:
    /// Whether this is the fastest way for such a convolution here, by a table of measurements.
    static bool suits(const Conv2dParams& p);

    WinogradConvolution() = default;
    explicit WinogradConvolution(const Conv2dParams& p);

    /// Of packForward() and packData(): as many for both.
    std::size_t packedWeightBytes() const;
    /// The same for all convolutions: what is packed depends on channels alone.
    static WeightLayout forwardLayout();
    static WeightLayout dataLayout();
    std::size_t workspaceBytes() const;

    /// From the master weight KCRS.
    void packForward(const float* w, void* packed, void* workspace) const;
    void packData(const float* w, void* packed, void* workspace) const;
    /// y, dx and dw (KCRS) overwritten; bias may be null. x, y, dx, dy NHWC.
    void forward(const float* x, const void* packed, const float* bias, float* y,
                 void* workspace) const;
    void dataGradient(const float* dy, const void* packed, float* dx, void* workspace) const;
    void weightGradient(const float* x, const float* dy, float* dw, void* workspace) const;

private:
    Conv2dParams p_;
    int tasks_ = 1;
};

} // namespace scalebench::kernels::cpu
