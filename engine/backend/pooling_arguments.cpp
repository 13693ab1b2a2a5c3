// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/pooling_arguments.h"

#include <string>

#include "kernels/check.h"

namespace scalebench {
namespace {

std::string describe(const char* op, const Shape& s, int window, int stride, int padding)
{
    return std::string(op) + " of " + toString(s) + " with window " + std::to_string(window) +
           ", stride " + std::to_string(stride) + ", padding " + std::to_string(padding) +
           " is not possible";
}

} // namespace

MaxPoolParams maxPoolParams(const Shape& s, int window, int stride, int padding, DType dtype)
{
    const MaxPoolParams p{s.at(0), s.at(1), s.at(2), s.at(3), window, stride, padding, dtype};
    SB_REQUIRE(window > 0 && window <= 15 && stride > 0 && padding >= 0 && padding < window &&
                   p.H + 2 * padding >= window && p.W + 2 * padding >= window,
               describe("max pool", s, window, stride, padding));
    return p;
}

AvgPoolParams avgPoolParams(const Shape& s, int window, int stride, int padding, bool countPadding,
                            DType dtype)
{
    const AvgPoolParams p{s.at(0), s.at(1), s.at(2),      s.at(3), window,
                          stride,  padding, countPadding, dtype};
    SB_REQUIRE(window > 0 && stride > 0 && padding >= 0 && padding <= window / 2 &&
                   p.H + 2 * padding >= window && p.W + 2 * padding >= window,
               describe("average pool", s, window, stride, padding));
    return p;
}

GlobalAvgPoolParams globalAvgPoolParams(const Shape& s, DType dtype)
{
    return {s.at(0), s.at(1), s.at(2), s.at(3), dtype};
}

ShortcutPadParams shortcutPadParams(const Shape& s, std::int64_t channels, std::int64_t stride,
                                    DType dtype)
{
    SB_REQUIRE(channels >= s.at(3) && stride >= 1, "shortcut of " + toString(s) + " to " +
                                                       std::to_string(channels) +
                                                       " channels: channels can only be added");
    return {s[0], s[1], s[2], s[3], channels, stride, dtype};
}

Resize2dParams resizeParams(const Shape& s, std::int64_t outH, std::int64_t outW, ResizeMode mode,
                            DType dtype)
{
    SB_REQUIRE(s.at(1) > 0 && s.at(2) > 0 && outH > 0 && outW > 0,
               "resize of " + toString(s) + " to " + std::to_string(outH) + "x" +
                   std::to_string(outW) + ": sizes must be positive");
    return {s[0], s[1], s[2], s.at(3), outH, outW, mode, dtype};
}

Shape outputShape(const MaxPoolParams& p)
{
    return {p.N, p.outH(), p.outW(), p.C};
}
Shape outputShape(const AvgPoolParams& p)
{
    return {p.N, p.outH(), p.outW(), p.C};
}
Shape outputShape(const GlobalAvgPoolParams& p)
{
    return {p.N, p.C};
}
Shape outputShape(const ShortcutPadParams& p)
{
    return {p.N, p.outH(), p.outW(), p.K};
}
Shape outputShape(const Resize2dParams& p)
{
    return {p.N, p.outH, p.outW, p.C};
}

void requirePoolGradient(const char* op, const Tensor& gradOutput, const Shape& output,
                         const Shape& inputShape)
{
    SB_REQUIRE(gradOutput.shape() == output,
               std::string(op) + " backward: gradient " + gradOutput.describe() +
                   " does not belong to an input " + toString(inputShape));
}

} // namespace scalebench
