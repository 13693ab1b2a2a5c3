// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One pixel of a picture from bytes to normalised numbers; see kernels/pictures.h. To come out
// equal everywhere, products and sums must not be fused: compile without contraction.

#include <cstdint>

#include "kernels/formula/host_device.h"
#include "kernels/pictures.h"

namespace scalebench::formula {

/// Weights of the eye (ITU-R BT.601).
SB_HOST_DEVICE float luma(float red, float green, float blue)
{
    return 0.299f * red + 0.587f * green + 0.114f * blue;
}

/// p: three channels of 0..1, changed in place and not cut.
SB_HOST_DEVICE void changeColour(const ColourChange& c, float* p)
{
    for (int k = 0; k < 3; ++k)
        p[k] = c.mean + c.contrast * (c.bright * p[k] - c.mean);
    // Hue and saturation turn and stretch the plane of colours of one brightness (YIQ).
    const float y = luma(p[0], p[1], p[2]);
    const float iOld = 0.596f * p[0] - 0.274f * p[1] - 0.322f * p[2];
    const float qOld = 0.211f * p[0] - 0.523f * p[1] + 0.312f * p[2];
    const float i = c.saturation * (c.turnCos * iOld - c.turnSin * qOld);
    const float q = c.saturation * (c.turnSin * iOld + c.turnCos * qOld);
    p[0] = y + 0.956f * i + 0.621f * q;
    p[1] = y - 0.272f * i - 0.647f * q;
    p[2] = y - 1.106f * i + 1.703f * q;
}

/// A pixel that is not blank, cut to 0..1 before it is normalised.
SB_HOST_DEVICE void normalisePixel(const PictureChange& change, const PictureScale& scale,
                                   const std::uint8_t* from, float* to)
{
    if (change.coloured == 0) {
        for (int k = 0; k < 3; ++k)
            to[k] = scale.table[k][from[k]];
        return;
    }
    float p[3] = {float(from[0]) / 255.0f, float(from[1]) / 255.0f, float(from[2]) / 255.0f};
    changeColour(change.colour, p);
    for (int k = 0; k < 3; ++k) {
        const float cut = p[k] < 0.0f ? 0.0f : p[k] > 1.0f ? 1.0f : p[k];
        to[k] = (cut - scale.mean[k]) / scale.deviation[k];
    }
}

/// Where pixel (x, y) of the result comes from.
struct PixelSource {
    int x, y;
    bool blank;
};

SB_HOST_DEVICE PixelSource pixelSource(const PictureChange& c, int H, int W, int x, int y)
{
    const int width = c.width > 0 ? c.width : W, height = c.height > 0 ? c.height : H;
    const int sx = (c.mirror != 0 ? width - 1 - x : x) + c.dx, sy = y + c.dy;
    const bool out = sx < 0 || sx >= width || sy < 0 || sy >= height;
    const bool cut = x >= c.left && x < c.right && y >= c.top && y < c.bottom;
    return {sx, sy, out || cut};
}

} // namespace scalebench::formula
