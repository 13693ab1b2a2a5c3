// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/pictures.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/picture.h"

namespace scalebench {

PictureScale::PictureScale(const float (&means)[3], const float (&deviations)[3])
{
    for (int c = 0; c < 3; ++c) {
        mean[c] = means[c];
        deviation[c] = deviations[c];
        for (int v = 0; v < 256; ++v)
            table[c][v] = (float(v) / 255.0f - mean[c]) / deviation[c];
    }
}

namespace kernels::cpu {

void normalisePicture(int H, int W, const std::uint8_t* from, std::int64_t stride,
                      const PictureChange& change, const PictureScale& scale, float* to)
{
    const int width = change.width > 0 ? change.width : W;
    const int height = change.height > 0 ? change.height : H;
    // As formula::pixelSource(), with what of a line is not blank found once.
    const int first = change.mirror != 0 ? change.dx : -change.dx;
    const int begin = std::clamp(first, 0, W), end = std::clamp(first + width, begin, W);
    const int step = change.mirror != 0 ? -3 : 3;
    const int source = change.mirror != 0 ? width - 1 - begin + change.dx : begin + change.dx;
    for (int y = 0; y < H; ++y) {
        float* const row = to + std::int64_t{3} * W * y;
        const int sy = y + change.dy;
        if (sy < 0 || sy >= height || begin == end) {
            std::fill(row, row + 3 * W, 0.0f);
            continue;
        }
        std::fill(row, row + 3 * begin, 0.0f);
        const std::uint8_t* pixel = from + 3 * (sy * stride + source);
        for (int x = begin; x < end; ++x, pixel += step)
            formula::normalisePixel(change, scale, pixel, row + 3 * x);
        std::fill(row + 3 * end, row + 3 * W, 0.0f);
        if (y >= change.top && y < change.bottom)
            std::fill(row + 3 * change.left, row + 3 * change.right, 0.0f);
    }
}

void normalisePictures(std::int64_t n, int H, int W, const std::uint8_t* from,
                       const PictureChange* changes, const PictureScale& scale, float* to)
{
    const std::int64_t each = std::int64_t{3} * H * W;
    parallelFor(n, [&](std::int64_t i) {
        normalisePicture(H, W, from + i * each, W, changes[i], scale, to + i * each);
    });
}

} // namespace kernels::cpu

} // namespace scalebench
