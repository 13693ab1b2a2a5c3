// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/detection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scalebench::kernels::ref {
namespace {

/// The feature map between the pixels: linear along both axes, constant in the outer half pixel
/// beyond, 0 from a pixel outside on.
double bilinear(const RoiAlignParams& p, const Values& x, std::int64_t n, std::int64_t c, double y,
                double at)
{
    if (y < -1.0 || y > double(p.H) || at < -1.0 || at > double(p.W))
        return 0.0;
    const double yy = std::clamp(y, 0.0, double(p.H - 1));
    const double xx = std::clamp(at, 0.0, double(p.W - 1));
    const auto y0 = std::int64_t(yy), x0 = std::int64_t(xx);
    const auto y1 = std::min(y0 + 1, p.H - 1), x1 = std::min(x0 + 1, p.W - 1);
    const double fy = yy - double(y0), fx = xx - double(x0);
    auto pixel = [&](std::int64_t h, std::int64_t w) {
        return x[std::size_t(((n * p.H + h) * p.W + w) * p.C + c)];
    };
    return (1.0 - fy) * ((1.0 - fx) * pixel(y0, x0) + fx * pixel(y0, x1)) +
           fy * ((1.0 - fx) * pixel(y1, x0) + fx * pixel(y1, x1));
}

double area(const double* b)
{
    return std::max(b[2] - b[0], 0.0) * std::max(b[3] - b[1], 0.0);
}

double overlap(const double* a, const double* b)
{
    const double w = std::min(a[2], b[2]) - std::max(a[0], b[0]);
    const double h = std::min(a[3], b[3]) - std::max(a[1], b[1]);
    const double inside = std::max(w, 0.0) * std::max(h, 0.0);
    const double all = area(a) + area(b) - inside;
    return all > 0.0 ? inside / all : 0.0;
}

} // namespace

Values roiAlignForward(const RoiAlignParams& p, const Values& x, const Values& rois,
                       const std::vector<std::int32_t>& levelOf)
{
    Values y(std::size_t(p.rois * p.outH * p.outW * p.C));
    const double shift = p.aligned ? 0.5 : 0.0, scale = double(p.spatialScale);
    for (std::int64_t r = 0; r < p.rois; ++r) {
        if (!levelOf.empty() && levelOf[std::size_t(r)] != p.level)
            continue;
        const double* roi = rois.data() + r * 5;
        const double x1 = roi[1] * scale - shift, y1 = roi[2] * scale - shift;
        double w = roi[3] * scale - shift - x1, h = roi[4] * scale - shift - y1;
        if (!p.aligned) {
            w = std::max(w, 1.0);
            h = std::max(h, 1.0);
        }
        const double binW = w / double(p.outW), binH = h / double(p.outH);
        const int sy = p.samplingRatio > 0 ? p.samplingRatio : int(std::ceil(binH));
        const int sx = p.samplingRatio > 0 ? p.samplingRatio : int(std::ceil(binW));
        for (std::int64_t i = 0; i < p.outH; ++i)
            for (std::int64_t j = 0; j < p.outW; ++j)
                for (std::int64_t c = 0; c < p.C; ++c) {
                    double sum = 0.0;
                    for (int a = 0; a < sy; ++a)
                        for (int b = 0; b < sx; ++b)
                            sum += bilinear(p, x, std::int64_t(roi[0]), c,
                                            y1 + (double(i) + (a + 0.5) / sy) * binH,
                                            x1 + (double(j) + (b + 0.5) / sx) * binW);
                    y[std::size_t(((r * p.outH + i) * p.outW + j) * p.C + c)] =
                        sum / std::max(1, sx * sy);
                }
    }
    return y;
}

Values boxEncode(const BoxCodingParams& p, const Values& anchors, const Values& boxes)
{
    Values deltas(anchors.size());
    for (std::size_t i = 0; i < anchors.size(); i += 4)
        for (std::size_t k = 0; k < 2; ++k) {
            const double a = anchors[i + 2 + k] - anchors[i + k];
            const double b = boxes[i + 2 + k] - boxes[i + k];
            const double centreA = (anchors[i + 2 + k] + anchors[i + k]) / 2.0;
            const double centreB = (boxes[i + 2 + k] + boxes[i + k]) / 2.0;
            deltas[i + k] = double(p.weights[k]) * (centreB - centreA) / a;
            deltas[i + 2 + k] = double(p.weights[2 + k]) * std::log(b / a);
        }
    return deltas;
}

Values boxDecode(const BoxCodingParams& p, std::int64_t classes, const Values& anchors,
                 const Values& deltas)
{
    Values boxes(deltas.size());
    for (std::size_t i = 0; i < deltas.size(); i += 4)
        for (std::size_t k = 0; k < 2; ++k) {
            const double* anchor = anchors.data() + i / 4 / std::size_t(classes) * 4;
            const double a = anchor[2 + k] - anchor[k];
            const double centre =
                (anchor[2 + k] + anchor[k]) / 2.0 + deltas[i + k] / double(p.weights[k]) * a;
            const double size = a * std::exp(std::min(deltas[i + 2 + k] / double(p.weights[2 + k]),
                                                      double(p.maxLogScale)));
            boxes[i + k] = centre - size / 2.0;
            boxes[i + 2 + k] = centre + size / 2.0;
        }
    return boxes;
}

Values boxIou(const Values& a, const Values& b)
{
    Values iou;
    for (std::size_t i = 0; i < a.size(); i += 4)
        for (std::size_t j = 0; j < b.size(); j += 4)
            iou.push_back(overlap(a.data() + i, b.data() + j));
    return iou;
}

std::vector<std::int32_t> matchBoxes(const MatchParams& p, const Values& boxes,
                                     const Values& anchors)
{
    const std::size_t G = boxes.size() / 4, A = anchors.size() / 4;
    std::vector<std::int32_t> match(A, kBackground);
    if (G == 0)
        return match;
    const Values iou = boxIou(boxes, anchors);
    std::vector<std::int32_t> best(A);
    for (std::size_t a = 0; a < A; ++a) {
        for (std::size_t g = 0; g < G; ++g)
            if (iou[g * A + a] > iou[std::size_t(best[a]) * A + a])
                best[a] = std::int32_t(g);
        const double top = iou[std::size_t(best[a]) * A + a];
        match[a] = top >= double(p.high) ? best[a] : top < double(p.low) ? kBackground : kIgnored;
    }
    for (std::size_t g = 0; g < G && A > 0; ++g) {
        const auto row = iou.begin() + std::ptrdiff_t(g * A);
        const auto top = std::max_element(row, row + std::ptrdiff_t(A));
        if (p.best == BestMatch::Force)
            match[std::size_t(top - row)] = std::int32_t(g);
        if (p.best == BestMatch::Restore)
            for (std::size_t a = 0; a < A; ++a)
                if (row[std::ptrdiff_t(a)] == *top)
                    match[a] = best[a];
    }
    return match;
}

std::vector<std::int32_t> nms(const NmsParams& p, const Values& boxes, const Values& scores,
                              const std::vector<std::int32_t>& groups)
{
    std::vector<std::int32_t> order(scores.size()), kept;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return scores[std::size_t(a)] > scores[std::size_t(b)];
    });
    for (std::int32_t i : order) {
        const bool free = std::none_of(kept.begin(), kept.end(), [&](std::int32_t k) {
            return (groups.empty() || groups[std::size_t(i)] == groups[std::size_t(k)]) &&
                   overlap(boxes.data() + i * 4, boxes.data() + k * 4) > double(p.threshold);
        });
        if (free && (p.maxKept < 0 || std::int64_t(kept.size()) < p.maxKept))
            kept.push_back(i);
    }
    return kept;
}

} // namespace scalebench::kernels::ref
