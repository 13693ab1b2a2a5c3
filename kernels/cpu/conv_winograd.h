// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions of 3x3 windows with fewer multiplications: Winograd's minimal filtering (Lavin and
// Gray, "Fast algorithms for convolutional neural networks", CVPR 2016). Of each tile of the result
//   Y = A' [ (G g G') o (B' d B) ] A      d: the pixels that the tile sees, g: the window
// and the products over channels are matrix products, one for each place of d. Backward:
//   dd by the same with the windows turned round;  dg = G' [ sum (B' d B) o (A dY A') ] G.
// fp32: F(2x2, 3x3), 2.25 times fewer; its transforms add and halve only, and the rounding of the
// result is about twice a direct sum's. bf16: F(4x4, 3x3), 4 times fewer, with transforms in fp32
// and products of 16-bit fixed-point numbers (fixed_gemm.h), which take as long as those of bf16
// numbers: the error of a result, some 5e-4, is a third of what its rounding to bf16 adds.

#include <cstddef>
#include <cstdint>

#include "kernels/conv2d.h"
#include "kernels/cpu/winograd_fixed.h"

namespace scalebench::kernels::cpu {

class WinogradConvolution
{
public:
    /// Whether this is the fastest way for such a convolution and its data gradient here, and for
    /// its weight gradient, by tables of measurements.
    static bool suits(const Conv2dParams& p);
    static bool suitsWeight(const Conv2dParams& p);

    WinogradConvolution() = default;
    explicit WinogradConvolution(const Conv2dParams& p);

    /// Of packForward() and packData(): as many for both; none where the master weight is read.
    std::size_t packedWeightBytes() const;
    /// The same for all convolutions of a type: what is packed depends on channels alone.
    WeightLayout forwardLayout() const;
    WeightLayout dataLayout() const;
    std::size_t workspaceBytes() const;

    /// From the master weight KCRS.
    void packForward(const float* w, void* packed) const;
    void packData(const float* w, void* packed) const;
    /// y, dx and dw (KCRS) overwritten; bias may be null. x, y, dx, dy NHWC.
    void forward(const void* x, const void* packed, const float* bias, void* y,
                 void* workspace) const;
    void dataGradient(const void* dy, const void* packed, void* dx, void* workspace) const;
    void weightGradient(const void* x, const void* dy, float* dw, void* workspace) const;

private:
    /// The windows of F(4x4) are twice the weight: they are made for each call, of the master.
    bool packsAhead() const;
    FixedWinograd fixedPoint() const;

    Conv2dParams p_;
    int tasks_ = 1;
};

} // namespace scalebench::kernels::cpu
