// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/roi_align.h"

#include <cstring>

#include "kernels/cpu/parallel.h"
#include "kernels/elementwise.h"
#include "kernels/formula/bf16.h"
#include "kernels/formula/box.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::AxisSample;
using formula::load;
using formula::RoiGrid;
using formula::store;

constexpr std::int64_t kForwardChannels = 256; // sums of one cell, on the stack
constexpr std::int64_t kSliceChannels = 64;    // channels of one task going backward

struct Corners {
    std::int64_t offset[4]; ///< in pixels
    float weight[4];
};

/// The four neighbours of a sample; false when the sample is outside and counts as 0.
SB_HOST_DEVICE bool corners(const RoiAlignParams& p, float y, float x, float scale, Corners& c)
{
    const AxisSample sy = formula::axisSample(y, int(p.H)), sx = formula::axisSample(x, int(p.W));
    if (!sy.inside || !sx.inside)
        return false;
    c.offset[0] = sy.low * p.W + sx.low;
    c.offset[1] = sy.low * p.W + sx.high;
    c.offset[2] = sy.high * p.W + sx.low;
    c.offset[3] = sy.high * p.W + sx.high;
    c.weight[0] = scale * sy.lowWeight * sx.lowWeight;
    c.weight[1] = scale * sy.lowWeight * sx.highWeight;
    c.weight[2] = scale * sy.highWeight * sx.lowWeight;
    c.weight[3] = scale * sy.highWeight * sx.highWeight;
    return true;
}

/// Calls body(corners) for the samples of output cell (i, j).
template <class Body>
SB_HOST_DEVICE void eachSample(const RoiAlignParams& p, const RoiGrid& g, std::int64_t i,
                               std::int64_t j, Body body)
{
    const float scale = 1.0f / float(std::max(g.samplesX * g.samplesY, 1));
    for (int a = 0; a < g.samplesY; ++a) {
        const float y = formula::roiSample(g.startY, g.cellY, int(i), a, g.samplesY);
        for (int b = 0; b < g.samplesX; ++b) {
            const float x = formula::roiSample(g.startX, g.cellX, int(j), b, g.samplesX);
            Corners c;
            if (corners(p, y, x, scale, c))
                body(c);
        }
    }
}

SB_HOST_DEVICE RoiGrid gridOf(const RoiAlignParams& p, const float* roi)
{
    return formula::roiGrid(roi + 1, p.spatialScale, int(p.outH), int(p.outW), p.samplingRatio,
                            p.aligned);
}

/// One row of output cells of one region.
template <class T>
SB_HOST_DEVICE void forwardRow(const RoiAlignParams& p, const T* image, const float* roi,
                               std::int64_t i, T* y)
{
    const RoiGrid g = gridOf(p, roi);
    float sum[kForwardChannels];
    for (std::int64_t j = 0; j < p.outW; ++j)
        for (std::int64_t c0 = 0; c0 < p.C; c0 += kForwardChannels) {
            const std::int64_t n = std::min(kForwardChannels, p.C - c0);
            for (std::int64_t c = 0; c < n; ++c)
                sum[c] = 0.0f;
            eachSample(p, g, i, j, [&](const Corners& k) SB_INLINE {
                const T* x0 = image + k.offset[0] * p.C + c0;
                const T* x1 = image + k.offset[1] * p.C + c0;
                const T* x2 = image + k.offset[2] * p.C + c0;
                const T* x3 = image + k.offset[3] * p.C + c0;
#pragma GCC ivdep
                for (std::int64_t c = 0; c < n; ++c)
                    sum[c] += k.weight[0] * load(x0 + c) + k.weight[1] * load(x1 + c) +
                              k.weight[2] * load(x2 + c) + k.weight[3] * load(x3 + c);
            });
            T* out = y + j * p.C + c0;
            for (std::int64_t c = 0; c < n; ++c)
                store(out + c, sum[c]);
        }
}
SB_TARGET_CLONES void forwardRowF32(const RoiAlignParams& p, const float* image, const float* roi,
                                    std::int64_t i, float* y)
{
    forwardRow(p, image, roi, i, y);
}
SB_TARGET_CLONES void forwardRowBf16(const RoiAlignParams& p, const bf16_t* image, const float* roi,
                                     std::int64_t i, bf16_t* y)
{
    forwardRow(p, image, roi, i, y);
}

/// Channels [c0, c0 + n) of one region. Corners may coincide: they are added one by one.
template <class T>
SB_HOST_DEVICE void backwardRoi(const RoiAlignParams& p, const T* dy, const float* roi,
                                std::int64_t c0, std::int64_t n, float* image)
{
    const RoiGrid g = gridOf(p, roi);
    for (std::int64_t i = 0; i < p.outH; ++i)
        for (std::int64_t j = 0; j < p.outW; ++j) {
            const T* grad = dy + (i * p.outW + j) * p.C + c0;
            eachSample(p, g, i, j, [&](const Corners& k) SB_INLINE {
                for (int q = 0; q < 4; ++q) {
                    float* dx = image + k.offset[q] * p.C + c0;
                    const float weight = k.weight[q];
#pragma GCC ivdep
                    for (std::int64_t c = 0; c < n; ++c)
                        dx[c] += weight * load(grad + c);
                }
            });
        }
}
SB_TARGET_CLONES void backwardRoiF32(const RoiAlignParams& p, const float* dy, const float* roi,
                                     std::int64_t c0, std::int64_t n, float* image)
{
    backwardRoi(p, dy, roi, c0, n, image);
}
SB_TARGET_CLONES void backwardRoiBf16(const RoiAlignParams& p, const bf16_t* dy, const float* roi,
                                      std::int64_t c0, std::int64_t n, float* image)
{
    backwardRoi(p, dy, roi, c0, n, image);
}

bool emptyMap(const RoiAlignParams& p)
{
    return p.N * p.H * p.W * p.C == 0;
}

} // namespace

void roiAlignForward(const RoiAlignParams& p, const void* x, const float* rois,
                     const std::int32_t* levelOf, void* y)
{
    if (emptyMap(p))
        return;
    const std::int64_t imageSize = p.H * p.W * p.C, rowSize = p.outW * p.C;
    parallelFor(p.rois * p.outH, [&](std::int64_t task) {
        const std::int64_t r = task / p.outH;
        if (levelOf && levelOf[r] != p.level)
            return;
        const float* roi = rois + r * 5;
        const std::int64_t image = std::int64_t(roi[0]) * imageSize;
        if (p.dtype == DType::F32)
            forwardRowF32(p, static_cast<const float*>(x) + image, roi, task % p.outH,
                          static_cast<float*>(y) + task * rowSize);
        else
            forwardRowBf16(p, static_cast<const bf16_t*>(x) + image, roi, task % p.outH,
                           static_cast<bf16_t*>(y) + task * rowSize);
    });
}

std::size_t roiAlignBackwardScratch(const RoiAlignParams& p)
{
    return p.dtype == DType::F32 ? 0 : std::size_t(p.N * p.H * p.W * p.C) * sizeof(float);
}

void roiAlignBackward(const RoiAlignParams& p, const void* dy, const float* rois,
                      const std::int32_t* levelOf, void* dx, void* scratch)
{
    if (emptyMap(p))
        return;
    const std::int64_t imageSize = p.H * p.W * p.C, roiSize = p.outH * p.outW * p.C;
    auto* sum = static_cast<float*>(p.dtype == DType::F32 ? dx : scratch);
    parallelRanges(p.N * imageSize, 1 << 18, [&](std::int64_t begin, std::int64_t end) {
        std::memset(sum + begin, 0, std::size_t(end - begin) * sizeof(float));
    });
    // Regions overlap: a task owns an image's slice of channels and takes the regions in order, so
    // the sums are the same for any number of threads.
    const std::int64_t slices = (p.C + kSliceChannels - 1) / kSliceChannels;
    parallelFor(p.N * slices, [&](std::int64_t task) {
        const std::int64_t n = task / slices, c0 = task % slices * kSliceChannels;
        const std::int64_t channels = std::min(kSliceChannels, p.C - c0);
        for (std::int64_t r = 0; r < p.rois; ++r) {
            const float* roi = rois + r * 5;
            if ((levelOf && levelOf[r] != p.level) || std::int64_t(roi[0]) != n)
                continue;
            if (p.dtype == DType::F32)
                backwardRoiF32(p, static_cast<const float*>(dy) + r * roiSize, roi, c0, channels,
                               sum + n * imageSize);
            else
                backwardRoiBf16(p, static_cast<const bf16_t*>(dy) + r * roiSize, roi, c0, channels,
                                sum + n * imageSize);
        }
    });
    if (p.dtype == DType::BF16)
        castF32ToBf16(p.N * imageSize, sum, static_cast<bf16_t*>(dx));
}

} // namespace scalebench::kernels::cpu
