// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/boxes.h"
#include "kernels/formula/box.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::Box;

/// The boxes by falling score, one array per coordinate.
struct Sorted {
    float *x1, *y1, *x2, *y2;
    std::int32_t *group, *dropped, *number;
};

Sorted carve(std::int64_t n, void* scratch)
{
    auto* f = static_cast<float*>(scratch);
    auto* i = reinterpret_cast<std::int32_t*>(f + 4 * n);
    return {f, f + n, f + 2 * n, f + 3 * n, i, i + n, i + 2 * n};
}

/// Marks the boxes [from, n) that overlap box `at` too much.
SB_TARGET_CLONES void drop(const Sorted& s, std::int64_t at, std::int64_t n, float threshold)
{
    const Box best{s.x1[at], s.y1[at], s.x2[at], s.y2[at]};
    const std::int32_t group = s.group[at];
    const float *x1 = s.x1, *y1 = s.y1, *x2 = s.x2, *y2 = s.y2;
    const std::int32_t* groups = s.group;
    std::int32_t* dropped = s.dropped;
#pragma GCC ivdep
    for (std::int64_t i = at + 1; i < n; ++i) {
        const float iou = formula::boxIou(best, {x1[i], y1[i], x2[i], y2[i]});
        dropped[i] |= std::int32_t(iou > threshold) & std::int32_t(groups[i] == group);
    }
}

} // namespace

std::size_t nmsScratch(std::int64_t n)
{
    return std::size_t(n) * 7 * 4;
}

std::int64_t nms(const NmsParams& p, std::int64_t n, const float* boxes, const float* scores,
                 const std::int32_t* groups, std::int32_t* keep, void* scratch)
{
    const Sorted s = carve(n, scratch);
    for (std::int64_t i = 0; i < n; ++i)
        s.number[i] = std::int32_t(i);
    // A NaN would break the order that the sort relies on.
    auto score = [&](std::int32_t i) {
        return scores[i] == scores[i] ? scores[i] : -std::numeric_limits<float>::infinity();
    };
    std::sort(s.number, s.number + n, [&](std::int32_t a, std::int32_t b) {
        return score(a) != score(b) ? score(a) > score(b) : a < b;
    });
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t from = s.number[i];
        s.x1[i] = boxes[from * 4];
        s.y1[i] = boxes[from * 4 + 1];
        s.x2[i] = boxes[from * 4 + 2];
        s.y2[i] = boxes[from * 4 + 3];
        s.group[i] = groups ? groups[from] : 0;
        s.dropped[i] = 0;
    }
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < n && kept != p.maxKept; ++i) {
        if (s.dropped[i])
            continue;
        keep[kept++] = s.number[i];
        drop(s, i, n, p.threshold);
    }
    return kept;
}

} // namespace scalebench::kernels::cpu
