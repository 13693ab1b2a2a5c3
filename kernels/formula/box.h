// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Boxes as (x1, y1, x2, y2), fp32: overlap, the coding of a box relative to an anchor
// (Girshick et al. 2013, arXiv 1311.2524, appendix C; Ren et al. 2015, arXiv 1506.01497, eq. 2),
// and one coordinate of a bilinear sample as ROIAlign takes it (He et al. 2017, arXiv 1703.06870).

#include <cmath>

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

struct Box {
    float x1, y1, x2, y2;
};

SB_HOST_DEVICE float atLeastZero(float v)
{
    return v < 0.0f ? 0.0f : v;
}

/// 0 for a box turned inside out.
SB_HOST_DEVICE float boxArea(const Box& b)
{
    return atLeastZero(b.x2 - b.x1) * atLeastZero(b.y2 - b.y1);
}

SB_HOST_DEVICE float boxIntersection(const Box& a, const Box& b)
{
    const float w = (a.x2 < b.x2 ? a.x2 : b.x2) - (a.x1 > b.x1 ? a.x1 : b.x1);
    const float h = (a.y2 < b.y2 ? a.y2 : b.y2) - (a.y1 > b.y1 ? a.y1 : b.y1);
    return atLeastZero(w) * atLeastZero(h);
}

/// Intersection over union; 0 when both boxes have no area.
SB_HOST_DEVICE float boxIou(const Box& a, const Box& b)
{
    const float inside = boxIntersection(a, b);
    const float all = boxArea(a) + boxArea(b) - inside;
    return all > 0.0f ? inside / all : 0.0f;
}

/// What moves `anchor` onto `box`, times the weights; both must have an area.
SB_HOST_DEVICE void boxEncode(const Box& anchor, const Box& box, const float* weights, float* delta)
{
    const float aw = anchor.x2 - anchor.x1, ah = anchor.y2 - anchor.y1;
    const float bw = box.x2 - box.x1, bh = box.y2 - box.y1;
    delta[0] = weights[0] * ((box.x1 + 0.5f * bw) - (anchor.x1 + 0.5f * aw)) / aw;
    delta[1] = weights[1] * ((box.y1 + 0.5f * bh) - (anchor.y1 + 0.5f * ah)) / ah;
    delta[2] = weights[2] * std::log(bw / aw);
    delta[3] = weights[3] * std::log(bh / ah);
}

/// The inverse; the logarithms of the sizes are cut at maxLogScale (infinity: not cut).
SB_HOST_DEVICE Box boxDecode(const Box& anchor, const float* delta, const float* weights,
                             float maxLogScale)
{
    const float aw = anchor.x2 - anchor.x1, ah = anchor.y2 - anchor.y1;
    const float x = delta[0] / weights[0] * aw + (anchor.x1 + 0.5f * aw);
    const float y = delta[1] / weights[1] * ah + (anchor.y1 + 0.5f * ah);
    const float dw = delta[2] / weights[2], dh = delta[3] / weights[3];
    const float w = std::exp(dw > maxLogScale ? maxLogScale : dw) * aw;
    const float h = std::exp(dh > maxLogScale ? maxLogScale : dh) * ah;
    return {x - 0.5f * w, y - 0.5f * h, x + 0.5f * w, y + 0.5f * h};
}

/// Where a coordinate falls between two neighbours of an axis of `size` pixels.
struct AxisSample {
    int low, high;
    float lowWeight, highWeight;
    bool inside; ///< false: more than a pixel outside, the sample is 0
};

SB_HOST_DEVICE AxisSample axisSample(float at, int size)
{
    AxisSample s{0, 0, 1.0f, 0.0f, at >= -1.0f && at <= float(size)};
    if (!s.inside || at <= 0.0f)
        return s;
    s.low = int(at);
    if (s.low >= size - 1) {
        s.low = s.high = size - 1;
        return s;
    }
    s.high = s.low + 1;
    s.highWeight = at - float(s.low);
    s.lowWeight = 1.0f - s.highWeight;
    return s;
}

/// The sampling grid of one region: sample k of output cell i along an axis lies at
/// start + (i + (k + 0.5) / samples) * cell.
struct RoiGrid {
    float startX, startY, cellX, cellY;
    int samplesX, samplesY;
};

/// One per input pixel; none for a cell turned inside out or not a number, and never an endless
/// number for a box that ran away.
SB_HOST_DEVICE int samplesPerCell(float cell)
{
    return cell > 0.0f ? (cell < 4096.0f ? int(std::ceil(cell)) : 4096) : 0;
}

/// roi: (x1, y1, x2, y2) in image coordinates. samplingRatio <= 0: as many samples as input pixels.
SB_HOST_DEVICE RoiGrid roiGrid(const float* roi, float spatialScale, int outH, int outW,
                               int samplingRatio, bool aligned)
{
    const float shift = aligned ? 0.5f : 0.0f;
    RoiGrid g;
    g.startX = roi[0] * spatialScale - shift;
    g.startY = roi[1] * spatialScale - shift;
    float w = roi[2] * spatialScale - shift - g.startX;
    float h = roi[3] * spatialScale - shift - g.startY;
    if (!aligned) {
        w = w < 1.0f ? 1.0f : w;
        h = h < 1.0f ? 1.0f : h;
    }
    g.cellX = w / float(outW);
    g.cellY = h / float(outH);
    g.samplesX = samplingRatio > 0 ? samplingRatio : samplesPerCell(g.cellX);
    g.samplesY = samplingRatio > 0 ? samplingRatio : samplesPerCell(g.cellY);
    return g;
}

SB_HOST_DEVICE float roiSample(float start, float cell, int i, int k, int samples)
{
    return start + float(i) * cell + (float(k) + 0.5f) * cell / float(samples);
}

} // namespace scalebench::formula
