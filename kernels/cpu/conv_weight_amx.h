// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weight gradient of a bf16 convolution on AMX tiles. For every tap (r,s) it is a matrix product
// over pixels, dw[:,:,r,s] = dy^T x_shifted. Both operands are laid out once: x on a grid with its
// padding as zeros (one grid per phase of the stride), dy transposed on the same grid with zeros
// where there is no output. A tap is then a constant distance on the grid, so that all taps are
// products of the same two panels, read from the first-level cache.

#include <cstddef>
#include <vector>

#include "kernels/conv2d.h"

namespace scalebench::kernels::cpu {

class AmxWeightGradient
{
public:
    using Number = bf16_t; ///< of x and dy
    static constexpr const char* kName = "amx tiles";

    /// True where this is faster than oneDNN: bf16 on a processor with AMX, one group, more than
    /// one tap, 32 channels or more on both sides and 64 on one (else laying out costs too much).
    static bool suits(const Conv2dParams& p);

    explicit AmxWeightGradient(const Conv2dParams& p);

    /// Scratch of run(), 64-byte aligned.
    std::size_t workspaceBytes() const;
    /// dw [K,C,R,S] F32 overwritten. The result does not depend on the number of threads.
    void run(const bf16_t* x, const bf16_t* dy, float* dw, void* workspace) const;

private:
    struct Panels;
    Panels panelsIn(void* workspace) const;
    void layOutGradient(const Panels& at, const bf16_t* dy, std::int64_t first, std::int64_t images,
                        std::int64_t chunk) const;
    void layOutInput(const Panels& at, const bf16_t* x, std::int64_t phase, std::int64_t first,
                     std::int64_t images, std::int64_t chunk) const;
    void multiplyBlock(const Panels& at, std::int64_t block, std::int64_t points, bool first) const;
    void storeBlock(const Panels& at, std::int64_t block, float* dw) const;

    Conv2dParams params_;
    std::int64_t gridH_ = 0, gridW_ = 0;     // of one image and phase
    std::int64_t phasesH_ = 0, phasesW_ = 0; // of the stride that some tap uses
    std::int64_t images_ = 0;                // laid out at a time
    std::int64_t points_ = 0;                // grid points of those, padded
    std::int64_t margin_ = 0;                // zeros before dy: the largest distance of a tap
    std::int64_t length_ = 0;                // of a row of transposed dy
    std::int64_t slicesK_ = 0, slicesC_ = 0;
    std::vector<bf16_t> zeros_; // a pixel of padding
};

} // namespace scalebench::kernels::cpu
