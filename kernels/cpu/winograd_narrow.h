// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Winograd's F(2x2, 3x3) in fp32 for layers with few channels. A product of a place is only as deep
// as there are channels, so copying its operands, as float_gemm.h does, and finding a tile's pixels
// take as long as the multiplications. Here tiles go by dozens through all three steps, in the
// second-level cache, and products read transformed pixels where they lie.

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/winograd_tiles.h"

namespace scalebench::kernels::cpu::narrow {

/// Whether layers of C and K channels are convolved this way on this processor, and whether their
/// weight gradients are made so: where it was measured to be faster (conv_winograd.cpp).
bool suits(std::int64_t C, std::int64_t K);
bool sumSuits(std::int64_t C, std::int64_t K);

/// y [N,outH,outW,K] of x [N,H,W,C]. packed: windows [C,K] of each place by floatGemmPack(),
/// `packedStep` numbers apart. bias [K] may be null.
void convolve(const Tiling& t, std::int64_t C, std::int64_t K, const float* x, const float* packed,
              std::int64_t packedStep, const float* bias, bool relu, float* y, int tasks,
              void* workspace);
std::size_t convolveWorkspace(std::int64_t C, std::int64_t K, int tasks);

/// sums [place][K,C] of transformed x [N,H,W,C] and dy [N,outH,outW,K]: the same for any number of
/// threads.
void sumWindows(const Tiling& t, std::int64_t C, std::int64_t K, const float* x, const float* dy,
                float* sums, int tasks, void* workspace);
std::size_t sumWorkspace(std::int64_t C, std::int64_t K, int tasks);

} // namespace scalebench::kernels::cpu::narrow
