// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/pictures.h"

#include "kernels/cuda/launch.h"
#include "kernels/formula/picture.h"

namespace scalebench::kernels::cuda {
namespace {

__global__ void __launch_bounds__(256)
    normalisePicturesKernel(std::int64_t n, int H, int W, const std::uint8_t* from,
                            const PictureChange* changes, const PictureScale* scale, float* to)
{
    const std::int64_t pixels = n * H * W;
    for (std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x; i < pixels;
         i += std::int64_t(gridDim.x) * blockDim.x) {
        const std::int64_t picture = i / (H * W);
        const int at = int(i % (H * W)), y = at / W, x = at % W;
        const PictureChange& change = changes[picture];
        const formula::PixelSource source = formula::pixelSource(change, H, W, x, y);
        float* pixel = to + i * 3;
        if (source.blank)
            pixel[0] = pixel[1] = pixel[2] = 0.0f;
        else
            formula::normalisePixel(change, *scale,
                                    from + ((picture * H + source.y) * W + source.x) * 3, pixel);
    }
}

} // namespace

void normalisePictures(std::int64_t n, int H, int W, const std::uint8_t* from,
                       const PictureChange* changes, const PictureScale* scale, float* to,
                       cudaStream_t stream)
{
    if (n > 0)
        launch("normalise pictures", stream, gridFor(n * H * W), normalisePicturesKernel, n, H, W,
               from, changes, scale, to);
}

} // namespace scalebench::kernels::cuda
