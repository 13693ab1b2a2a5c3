// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/boxes.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/formula/box.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::Box;

constexpr std::int64_t kGrain = 4096; // anchors of one piece of work

const Box* asBoxes(const float* p)
{
    static_assert(sizeof(Box) == 4 * sizeof(float));
    return reinterpret_cast<const Box*>(p);
}

SB_TARGET_CLONES void iouRow(Box a, std::int64_t n, const Box* __restrict b, float* __restrict iou)
{
    for (std::int64_t i = 0; i < n; ++i)
        iou[i] = formula::boxIou(a, b[i]);
}

SB_TARGET_CLONES void takeBetter(std::int64_t n, const float* __restrict iou, std::int32_t number,
                                 float* __restrict best, std::int32_t* __restrict match)
{
    for (std::int64_t i = 0; i < n; ++i) {
        const bool better = iou[i] > best[i];
        match[i] = better ? number : match[i];
        best[i] = better ? iou[i] : best[i];
    }
}

/// Scratch of matchBoxes(): per piece and box the largest overlap and where; per box the same.
struct MatchScratch {
    float* pieceTop;
    std::int32_t* pieceAt;
    float* top;
    std::int32_t* at;
};

std::int64_t pieces(std::int64_t anchors)
{
    return (anchors + kGrain - 1) / kGrain;
}

MatchScratch carve(std::int64_t boxes, std::int64_t anchors, void* scratch)
{
    const std::int64_t n = boxes * pieces(anchors);
    MatchScratch s;
    s.pieceTop = static_cast<float*>(scratch);
    s.top = s.pieceTop + n;
    s.pieceAt = reinterpret_cast<std::int32_t*>(s.top + boxes);
    s.at = s.pieceAt + n;
    return s;
}

/// Best box of the anchors [begin, end), and the best of them for every box.
void matchPiece(std::int64_t boxes, const Box* box, const Box* anchor, std::int64_t begin,
                std::int64_t end, float* best, std::int32_t* match, float* top, std::int32_t* at)
{
    float iou[kGrain];
    const std::int64_t n = end - begin;
    std::fill_n(best, n, -1.0f);
    std::fill_n(match, n, 0);
    for (std::int64_t g = 0; g < boxes; ++g) {
        iouRow(box[g], n, anchor + begin, iou);
        takeBetter(n, iou, std::int32_t(g), best, match);
        const auto* first = std::max_element(iou, iou + n);
        top[g] = *first;
        at[g] = std::int32_t(begin + (first - iou));
    }
}

/// Turns the best box of each anchor into its mark, by the thresholds.
void applyThresholds(const MatchParams& p, std::int64_t n, const float* best, std::int32_t* match)
{
    for (std::int64_t i = 0; i < n; ++i)
        match[i] = best[i] >= p.high ? match[i] : best[i] < p.low ? kBackground : kIgnored;
}

} // namespace

void boxEncode(const BoxCodingParams& p, std::int64_t n, const float* anchors, const float* boxes,
               float* deltas)
{
    parallelRanges(n, kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            formula::boxEncode(asBoxes(anchors)[i], asBoxes(boxes)[i], p.weights, deltas + i * 4);
    });
}

void boxDecode(const BoxCodingParams& p, std::int64_t n, std::int64_t classes, const float* anchors,
               const float* deltas, float* boxes)
{
    parallelRanges(n * classes, kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            reinterpret_cast<Box*>(boxes)[i] = formula::boxDecode(
                asBoxes(anchors)[i / classes], deltas + i * 4, p.weights, p.maxLogScale);
    });
}

void clipBoxes(std::int64_t n, float width, float height, float* boxes)
{
    for (std::int64_t i = 0; i < n * 4; ++i)
        boxes[i] = std::clamp(boxes[i], 0.0f, i % 2 == 0 ? width : height);
}

void boxIou(std::int64_t na, std::int64_t nb, const float* a, const float* b, float* iou)
{
    parallelFor(na, [&](std::int64_t i) { iouRow(asBoxes(a)[i], nb, asBoxes(b), iou + i * nb); });
}

std::size_t matchScratch(std::int64_t boxes, std::int64_t anchors)
{
    // The overlaps of the anchors too, for callers who do not ask for them.
    return std::size_t(2 * boxes * (pieces(anchors) + 1) + anchors) * 4;
}

void matchBoxes(const MatchParams& p, std::int64_t boxes, std::int64_t anchors, const float* box,
                const float* anchor, std::int32_t* match, float* iou, void* scratch)
{
    if (boxes == 0 || anchors == 0) {
        std::fill_n(match, anchors, kBackground);
        if (iou)
            std::fill_n(iou, anchors, 0.0f);
        return;
    }
    const MatchScratch s = carve(boxes, anchors, scratch);
    float* best = iou ? iou : reinterpret_cast<float*>(s.at + boxes);
    parallelRanges(anchors, kGrain, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t row = begin / kGrain * boxes;
        matchPiece(boxes, asBoxes(box), asBoxes(anchor), begin, end, best + begin, match + begin,
                   s.pieceTop + row, s.pieceAt + row);
    });
    for (std::int64_t g = 0; g < boxes; ++g) {
        s.top[g] = -1.0f;
        for (std::int64_t k = 0; k < pieces(anchors); ++k)
            if (s.pieceTop[k * boxes + g] > s.top[g]) {
                s.top[g] = s.pieceTop[k * boxes + g];
                s.at[g] = s.pieceAt[k * boxes + g];
            }
    }
    if (p.best != BestMatch::Restore)
        applyThresholds(p, anchors, best, match);
    if (p.best == BestMatch::Force)
        for (std::int64_t g = 0; g < boxes; ++g)
            match[s.at[g]] = std::int32_t(g);
    if (p.best != BestMatch::Restore)
        return;
    parallelRanges(anchors, kGrain, [&](std::int64_t begin, std::int64_t end) {
        // The overlaps again, by the same code on the same pieces: equal bit by bit.
        const std::int64_t n = end - begin;
        float row[kGrain];
        std::uint8_t restored[kGrain] = {};
        for (std::int64_t g = 0; g < boxes; ++g) {
            if (s.pieceTop[begin / kGrain * boxes + g] < s.top[g])
                continue; // the best of this box is in another piece
            iouRow(asBoxes(box)[g], n, asBoxes(anchor) + begin, row);
            for (std::int64_t i = 0; i < n; ++i)
                restored[i] |= row[i] >= s.top[g];
        }
        for (std::int64_t i = 0; i < n; ++i)
            if (!restored[i])
                applyThresholds(p, 1, best + begin + i, match + begin + i);
    });
}

} // namespace scalebench::kernels::cpu
