// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/pictures.h"

#include <algorithm>
#include <cstddef>

namespace scalebench::kernels::ref {
namespace {

/// p: three channels of 0..1.
void changeColours(const ColourChange& to, double* p)
{
    for (int k = 0; k < 3; ++k)
        p[k] = double(to.mean) + double(to.contrast) * (double(to.bright) * p[k] - double(to.mean));
    // Brightness stays; the way back from YIQ is rounded to three digits, as published.
    const double luma = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
    const double i = 0.596 * p[0] - 0.274 * p[1] - 0.322 * p[2];
    const double q = 0.211 * p[0] - 0.523 * p[1] + 0.312 * p[2];
    const double s = double(to.saturation);
    const double turnedI = s * (double(to.turnCos) * i - double(to.turnSin) * q);
    const double turnedQ = s * (double(to.turnSin) * i + double(to.turnCos) * q);
    p[0] = luma + 0.956 * turnedI + 0.621 * turnedQ;
    p[1] = luma - 0.272 * turnedI - 0.647 * turnedQ;
    p[2] = luma - 1.106 * turnedI + 1.703 * turnedQ;
}

} // namespace

std::vector<double> normalisePicture(int H, int W, const std::vector<std::uint8_t>& rgb,
                                     const PictureChange& change, const float (&mean)[3],
                                     const float (&deviation)[3])
{
    const int w = change.width, h = change.height;
    std::vector<double> all;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            const int sx = (change.mirror == 1 ? w - 1 - x : x) + change.dx, sy = y + change.dy;
            const bool inside = sx >= 0 && sx < w && sy >= 0 && sy < h;
            const bool cut =
                x >= change.left && x < change.right && y >= change.top && y < change.bottom;
            double p[3] = {};
            for (int c = 0; inside && c < 3; ++c)
                p[c] = rgb[3 * std::size_t(sy * w + sx) + std::size_t(c)] / 255.0;
            if (change.coloured == 1)
                changeColours(change.colour, p);
            for (int c = 0; c < 3; ++c)
                all.push_back(inside && !cut ? (std::clamp(p[c], 0.0, 1.0) - double(mean[c])) /
                                                   double(deviation[c])
                                             : 0.0);
        }
    return all;
}

} // namespace scalebench::kernels::ref
