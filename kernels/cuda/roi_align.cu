// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/roi_align.h"

#include <algorithm>

#include "kernels/cuda/block.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/number.h"
#include "kernels/cuda/vector.h"
#include "kernels/formula/box.h"

namespace scalebench::kernels::cuda {
namespace {

using formula::AxisSample;
using formula::RoiGrid;

constexpr int kPixels = 8; ///< of a block going backward

__device__ RoiGrid gridOf(const RoiAlignParams& p, const float* roi)
{
    return formula::roiGrid(roi + 1, p.spatialScale, int(p.outH), int(p.outW), p.samplingRatio,
                            p.aligned);
}

/// The image of a region of this level; -1 for other levels and numbers that are noted.
__device__ std::int64_t imageOf(const RoiAlignParams& p, const float* rois,
                                const std::int32_t* levelOf, std::int64_t r, BadIndex bad)
{
    if (levelOf && levelOf[r] != p.level)
        return -1;
    const float image = rois[r * 5];
    const bool inside = image >= 0.0f && image < float(p.N);
    const long long number = inside ? (long long)(image) : -1;
    return bad.check(r, number, p.N) ? number : -1;
}

__device__ float sampleScale(const RoiGrid& g)
{
    return 1.0f / float(max(g.samplesX * g.samplesY, 1));
}

/// One block per output cell, threads over the channels.
template <class T>
__global__ void forwardKernel(RoiAlignParams p, const T* x, const float* rois,
                              const std::int32_t* levelOf, BadIndex bad, T* y)
{
    const std::int64_t cells = p.outH * p.outW;
    for (std::int64_t cell = blockIdx.x; cell < p.rois * cells; cell += gridDim.x) {
        const std::int64_t r = cell / cells;
        const std::int64_t image = imageOf(p, rois, levelOf, r, bad);
        if (image < 0)
            continue;
        const RoiGrid g = gridOf(p, rois + r * 5);
        const int i = int(cell % cells / p.outW), j = int(cell % p.outW);
        const T* const from = x + image * p.H * p.W * p.C;
        const float scale = sampleScale(g);
        for (std::int64_t c = threadIdx.x; c < p.C; c += blockDim.x) {
            float sum = 0.0f;
            for (int a = 0; a < g.samplesY; ++a) {
                const AxisSample sy = formula::axisSample(
                    formula::roiSample(g.startY, g.cellY, i, a, g.samplesY), int(p.H));
                if (!sy.inside)
                    continue;
                const T *const low = from + sy.low * p.W * p.C + c, *const high =
                                                                        from + sy.high * p.W * p.C +
                                                                        c;
                for (int b = 0; b < g.samplesX; ++b) {
                    const AxisSample sx = formula::axisSample(
                        formula::roiSample(g.startX, g.cellX, j, b, g.samplesX), int(p.W));
                    if (!sx.inside)
                        continue;
                    const std::int64_t left = sx.low * p.C, right = sx.high * p.C;
                    sum += scale * sy.lowWeight * sx.lowWeight * toFloat(low[left]) +
                           scale * sy.lowWeight * sx.highWeight * toFloat(low[right]) +
                           scale * sy.highWeight * sx.lowWeight * toFloat(high[left]) +
                           scale * sy.highWeight * sx.highWeight * toFloat(high[right]);
                }
            }
            y[cell * p.C + c] = fromFloat<T>(sum);
        }
    }
}

// --- backward ---

/// False only where no sample of an axis can reach the pixels [begin, end). The samples are between
/// the ends of the grid and reach one pixel further; one more for rounding.
__device__ bool reaches(float start, float cell, std::int64_t cells, std::int64_t begin,
                        std::int64_t end)
{
    const float other = start + float(cells) * cell;
    return fmaxf(start, other) >= float(begin - 2) && fminf(start, other) <= float(end + 1);
}

/// What output cell `cell` gives to `pixel` along one axis: the sum of the weights of its samples.
__device__ float axisWeight(float start, float cell, int number, int samples, int pixel, int size)
{
    float sum = 0.0f;
    for (int k = 0; k < samples; ++k) {
        const AxisSample s =
            formula::axisSample(formula::roiSample(start, cell, number, k, samples), size);
        if (s.inside)
            sum += (s.low == pixel ? s.lowWeight : 0.0f) + (s.high == pixel ? s.highWeight : 0.0f);
    }
    return sum;
}

/// dx of the block's pixels for the channels from `c0` on, one per thread.
template <class T>
struct Gather {
    RoiAlignParams p;
    const T* dy;
    const float* rois;
    float *rowWeight, *columnWeight; ///< shared: [outH], [outW][kPixels]
    std::int64_t y, x;               ///< first pixel

    /// Adds what region r gives. All threads of the block.
    __device__ void add(std::int64_t r, std::int64_t c, float (&sum)[kPixels]) const
    {
        const RoiGrid g = gridOf(p, rois + r * 5);
        __syncthreads(); // the last weights have been used
        for (int i = int(threadIdx.x); i < int(p.outH); i += int(blockDim.x))
            rowWeight[i] =
                sampleScale(g) * axisWeight(g.startY, g.cellY, i, g.samplesY, int(y), int(p.H));
        for (int k = int(threadIdx.x); k < int(p.outW) * kPixels; k += int(blockDim.x))
            columnWeight[k] = axisWeight(g.startX, g.cellX, k / kPixels, g.samplesX,
                                         int(x) + k % kPixels, int(p.W));
        __syncthreads();
        if (c >= p.C)
            return;
        const T* const grad = dy + r * p.outH * p.outW * p.C + c;
        for (int i = 0; i < int(p.outH); ++i) {
            if (rowWeight[i] == 0.0f)
                continue;
            for (int j = 0; j < int(p.outW); ++j) {
                float any = 0.0f;
                SB_UNROLL
                for (int k = 0; k < kPixels; ++k)
                    any += columnWeight[j * kPixels + k];
                if (any == 0.0f) // weights are not negative
                    continue;
                const float v = rowWeight[i] * toFloat(grad[(i * p.outW + j) * p.C]);
                SB_UNROLL
                for (int k = 0; k < kPixels; ++k)
                    sum[k] += columnWeight[j * kPixels + k] * v;
            }
        }
    }
};

/// Blocks: kPixels pixels of a row in x, channels in y. Each thread looks at one region of a round;
/// those that reach the pixels are taken in order.
template <class T>
__global__ void backwardKernel(RoiAlignParams p, const T* dy, const float* rois,
                               const std::int32_t* levelOf, BadIndex bad, T* dx)
{
    SB_DYNAMIC_SHARED(float, weights);
    __shared__ unsigned masks[32];
    const std::int64_t tiles = (p.W + kPixels - 1) / kPixels, row = blockIdx.x / tiles;
    const std::int64_t n = row / p.H;
    const Gather<T> gather{p,
                           dy,
                           rois,
                           weights,
                           weights + p.outH,
                           row % p.H,
                           std::int64_t(blockIdx.x) % tiles * kPixels};
    const std::int64_t c = std::int64_t(blockIdx.y) * blockDim.x + threadIdx.x;
    const int warps = int(blockDim.x) / 32;
    float sum[kPixels] = {};
    for (std::int64_t first = 0; first < p.rois; first += blockDim.x) {
        const std::int64_t r = first + threadIdx.x;
        bool wanted = r < p.rois && imageOf(p, rois, levelOf, r, bad) == n;
        if (wanted) {
            const RoiGrid g = gridOf(p, rois + r * 5);
            wanted = reaches(g.startY, g.cellY, p.outH, gather.y, gather.y + 1) &&
                     reaches(g.startX, g.cellX, p.outW, gather.x, gather.x + kPixels);
        }
        const unsigned mask = __ballot_sync(kAllLanes, wanted);
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            masks[threadIdx.x / 32] = mask;
        __syncthreads();
        for (int w = 0; w < warps; ++w)
            for (unsigned rest = masks[w]; rest != 0; rest &= rest - 1)
                gather.add(first + w * 32 + __ffs(int(rest)) - 1, c, sum);
    }
    if (c >= p.C)
        return;
    SB_UNROLL
    for (int k = 0; k < kPixels; ++k)
        if (gather.x + k < p.W)
            dx[(row * p.W + gather.x + k) * p.C + c] = fromFloat<T>(sum[k]);
}

unsigned channelThreads(std::int64_t C)
{
    return unsigned(std::clamp<std::int64_t>((C + 31) / 32 * 32, 32, 256));
}

} // namespace

void roiAlignForward(const RoiAlignParams& p, const void* x, const float* rois,
                     const std::int32_t* levelOf, BadIndex bad, void* y, cudaStream_t stream)
{
    const std::int64_t cells = p.rois * p.outH * p.outW;
    if (cells * p.C == 0 || p.N * p.H * p.W == 0)
        return;
    withActivationType(p.dtype, "roi align", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch(
            "roi align", stream,
            {dim3(unsigned(std::min<std::int64_t>(cells, 1 << 30))), dim3(channelThreads(p.C)), 0},
            forwardKernel<T>, p, static_cast<const T*>(x), rois, levelOf, bad, static_cast<T*>(y));
    });
}

void roiAlignBackward(const RoiAlignParams& p, const void* dy, const float* rois,
                      const std::int32_t* levelOf, BadIndex bad, void* dx, cudaStream_t stream)
{
    if (p.N * p.H * p.W * p.C == 0)
        return;
    const std::int64_t tiles = p.N * p.H * ((p.W + kPixels - 1) / kPixels);
    const unsigned threads = channelThreads(p.C);
    const Grid grid{dim3(unsigned(tiles), unsigned((p.C + threads - 1) / threads)), dim3(threads),
                    std::size_t(p.outH + p.outW * kPixels) * sizeof(float)};
    withActivationType(p.dtype, "roi align gradient", [&](auto tag) {
        using T = typename decltype(tag)::Type;
        launch("roi align gradient", stream, grid, backwardKernel<T>, p, static_cast<const T*>(dy),
               rois, levelOf, bad, static_cast<T*>(dx));
    });
}

} // namespace scalebench::kernels::cuda
