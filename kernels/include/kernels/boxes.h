// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What detectors do with boxes (x1, y1, x2, y2), all fp32: coding relative to anchors, overlaps,
// assignment of anchors to true boxes, non-maximum suppression. Formulas: kernels/formula/box.h.

#include <cstddef>
#include <cstdint>

namespace scalebench {

struct BoxCodingParams {
    /// Faster R-CNN: 10, 10, 5, 5 (box head) or 1, 1, 1, 1 (RPN). SSD: 10, 10, 5, 5, the inverse of
    /// its scales 0.1 and 0.2.
    float weights[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    /// Logarithms of sizes are cut here when decoding: log(1000 / 16). Infinity: never (SSD).
    float maxLogScale = 4.135166556742356f;
};

/// What happens with a true box whose overlaps all stay below the threshold.
enum class BestMatch {
    None,    ///< it may stay without an anchor
    Restore, ///< anchors that overlap a box as much as any anchor does keep the box that is best
             ///< for the anchor (Faster R-CNN and RetinaNet: "low quality matches")
    Force    ///< each box gets the anchor that overlaps it most, the last box wins (SSD)
};

struct MatchParams {
    float high = 0.7f; ///< matched from this overlap on
    float low = 0.3f;  ///< background below this; between the two: ignored
    BestMatch best = BestMatch::Restore;
};

/// Marks of anchors without a box.
inline constexpr std::int32_t kBackground = -1, kIgnored = -2;

struct NmsParams {
    float threshold = 0.5f;    ///< boxes that overlap a better one by more are dropped
    std::int64_t maxKept = -1; ///< stop after so many; < 0: keep all
};

namespace kernels::cpu {

/// deltas [n,4] from anchors [n,4] and boxes [n,4]. A box or anchor without area gives infinities.
void boxEncode(const BoxCodingParams& p, std::int64_t n, const float* anchors, const float* boxes,
               float* deltas);
/// boxes [n,classes,4] from anchors [n,4] and deltas [n,classes,4].
void boxDecode(const BoxCodingParams& p, std::int64_t n, std::int64_t classes, const float* anchors,
               const float* deltas, float* boxes);
/// Cuts boxes [n,4] to [0,width] x [0,height], in place.
void clipBoxes(std::int64_t n, float width, float height, float* boxes);

/// iou [na,nb] of a [na,4] and b [nb,4]; 0 where neither has an area.
void boxIou(std::int64_t na, std::int64_t nb, const float* a, const float* b, float* iou);

/// Bytes of scratch of matchBoxes().
std::size_t matchScratch(std::int64_t boxes, std::int64_t anchors);
/// match [anchors] I32: number of the true box an anchor belongs to, kBackground or kIgnored. On
/// equal overlaps the first box, and the first anchor, wins. iou [anchors] F32 (may be null): the
/// overlap with the best box. Without boxes every anchor is background.
void matchBoxes(const MatchParams& p, std::int64_t boxes, std::int64_t anchors, const float* box,
                const float* anchor, std::int32_t* match, float* iou, void* scratch);

/// Bytes of scratch of nms().
std::size_t nmsScratch(std::int64_t n);
/// Greedy non-maximum suppression. boxes [n,4], scores [n]; groups [n] I32 (class or level; may be
/// null): boxes of different groups never suppress each other. keep [n] I32 gets the numbers of the
/// kept boxes by falling score, equal scores in order of their number, NaN scores last; returns how
/// many. One thread: each decision needs those before it.
std::int64_t nms(const NmsParams& p, std::int64_t n, const float* boxes, const float* scores,
                 const std::int32_t* groups, std::int32_t* keep, void* scratch);

} // namespace kernels::cpu
} // namespace scalebench
