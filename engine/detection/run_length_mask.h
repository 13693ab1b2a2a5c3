// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Binary masks as run lengths, as COCO keeps them: pixels column by column, runs of 0 and 1 by
// turns, the first one (maybe empty) of 0.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::detection {

struct RunLengthMask {
    int width = 0, height = 0;
    std::vector<uint32_t> runs; ///< sum: width * height

    bool empty() const { return runs.empty(); }
    bool operator==(const RunLengthMask&) const = default;
};

/// The smallest box around a mask's pixels; zeros for a mask without any.
struct MaskBox {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const MaskBox&) const = default;
};

/// pixels: [height, width], 0 or not.
RunLengthMask encodeMask(std::span<const uint8_t> pixels, int width, int height);
/// [height, width] of 0 and 1.
std::vector<uint8_t> decodeMask(const RunLengthMask& mask);
int64_t maskArea(const RunLengthMask& mask);
MaskBox maskBox(const RunLengthMask& mask);

/// Both masks have one size (InvalidArgument).
int64_t maskIntersection(const RunLengthMask& a, const RunLengthMask& b);
RunLengthMask maskUnion(const RunLengthMask& a, const RunLengthMask& b);
/// Intersection over union; `crowd`: over the area of `found`, as COCO measures against a crowd.
double maskIou(const RunLengthMask& found, const RunLengthMask& truth, bool crowd);

/// Fills a closed outline x0, y0, x1, y1, ... (at least three points, finite) as pycocotools does:
/// the outline is walked on a grid five times as fine, and a pixel belongs to the mask where its
/// column's middle lies below an odd number of crossings. Parts outside are cut off.
RunLengthMask fillPolygon(std::span<const double> outline, int width, int height);

/// COCO's text form of run lengths: base 32 with a continuation bit, differences to the run two
/// before. Throws InvalidArgument for anything that does not describe a mask of that size.
RunLengthMask parseRuns(std::string_view text, int width, int height);
std::string printRuns(const RunLengthMask& mask);
/// Throws InvalidArgument unless the runs add up to the picture.
RunLengthMask checkedRuns(std::vector<uint32_t> runs, int width, int height);

} // namespace scalebench::detection
