// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/pictures.h"

#include "kernels/cuda/launch.h"

namespace scalebench::kernels::cuda {
namespace {

__global__ void __launch_bounds__(256)
    normaliseKernel(std::int64_t n, int H, int W, const std::uint8_t* from,
                    const PictureChange* changes, const float* table, float* to)
{
    const std::int64_t pixels = n * H * W;
    for (std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x; i < pixels;
         i += std::int64_t(gridDim.x) * blockDim.x) {
        const std::int64_t picture = i / (H * W);
        const int at = int(i % (H * W)), y = at / W, x = at % W;
        const PictureChange c = changes[picture];
        const int sx = (c.mirror != 0 ? W - 1 - x : x) + c.dx, sy = y + c.dy;
        const bool blank = sx < 0 || sx >= W || sy < 0 || sy >= H ||
                           (x >= c.left && x < c.right && y >= c.top && y < c.bottom);
        const std::uint8_t* pixel = from + ((picture * H + sy) * W + sx) * 3;
        for (int channel = 0; channel < 3; ++channel)
            to[i * 3 + channel] = blank ? 0.0f : table[channel * 256 + pixel[channel]];
    }
}

} // namespace

void normalisePictures(std::int64_t n, int H, int W, const std::uint8_t* from,
                       const PictureChange* changes, const float* table, float* to,
                       cudaStream_t stream)
{
    if (n > 0)
        launch("normalise pictures", stream, gridFor(n * H * W), normaliseKernel, n, H, W, from,
               changes, table, to);
}

} // namespace scalebench::kernels::cuda
