// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The transforms of Winograd's convolution (conv_winograd.h), for two sizes of tiles. Both give:
//   transformInput      out[place * step + c] = B' d B for the kSeen x kSeen pixels d
//   transformOutput     the kTile x kTile pixels of a result = A' m A, with bias and ReLU
//   transformGradient   out[place * step + k] = A dY A'
//   transformSums       dw[c] (9 numbers each) = G' x G for the sums x of one output channel at
//                       sums[place * step + c]
//   transformWindows    out[place * step + i] = G g G' for kWindows windows g side by side, turned
//                       round or not: the number e of window i lies at g[e * kWindows + i]
// Pixels are pointers to their channels; places go row by row. What transforms pixels may compute
// half of the rows, as two threads do.

#include <cstdint>
#include <type_traits>

#include "kernels/formula/host_device.h"
#include "kernels/types.h"

namespace scalebench::kernels::cpu {

/// Rows of places that are computed: all, or those of the upper or lower half.
enum class WinogradRows { All, Upper, Lower };

/// body(first, last), both integral constants, for rows [first, last) of Count.
template <int Count, class Body>
SB_HOST_DEVICE void withRows(WinogradRows rows, const Body& body)
{
    const std::integral_constant<int, 0> start;
    const std::integral_constant<int, Count / 2> middle;
    const std::integral_constant<int, Count> end;
    if (rows == WinogradRows::Upper)
        body(start, middle);
    else if (rows == WinogradRows::Lower)
        body(middle, end);
    else
        body(start, end);
}

#define SB_WINOGRAD_TRANSFORMS                                                                     \
    static constexpr std::int64_t kPlaces = kSeen * kSeen, kPixels = kTile * kTile, kWindows = 16; \
    static void transformInput(const Element* const* pixels, std::int64_t C, float* out,           \
                               std::int64_t step, WinogradRows rows = WinogradRows::All);          \
    static void transformOutput(const float* m, std::int64_t step, std::int64_t K,                 \
                                const float* bias, bool relu, Element* const* pixels);             \
    static void transformGradient(const Element* const* pixels, std::int64_t K, float* out,        \
                                  std::int64_t step, WinogradRows rows = WinogradRows::All);       \
    static void transformSums(const float* sums, std::int64_t step, std::int64_t C, float* dw);    \
    static void transformWindows(const float* g, bool turned, float* out, std::int64_t step);

/// F(2x2, 3x3) on fp32.
struct WinogradTwo {
    using Element = float;
    static constexpr std::int64_t kTile = 2, kSeen = 4;
    SB_WINOGRAD_TRANSFORMS
};

/// F(4x4, 3x3) on bf16, transformed in fp32.
struct WinogradFour {
    using Element = bf16_t;
    static constexpr std::int64_t kTile = 4, kSeen = 6;
    SB_WINOGRAD_TRANSFORMS
};

#undef SB_WINOGRAD_TRANSFORMS

} // namespace scalebench::kernels::cpu
