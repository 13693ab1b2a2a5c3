// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/mask_targets.h"

#include "engine/detection/run_length_mask.h"
#include "kernels/check.h"
#include "kernels/roi_align.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace scalebench {
namespace {

/// Stored pixel of each pixel of an axis, as torch.nn.functional.interpolate's "nearest" takes it.
std::vector<std::size_t> nearest(int stored, int scaled, bool mirrored)
{
    std::vector<std::size_t> from(static_cast<std::size_t>(scaled));
    const float step = float(stored) / float(scaled);
    for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = std::min(std::size_t(float(i) * step), std::size_t(stored - 1));
    if (mirrored)
        std::ranges::reverse(from);
    return from;
}

/// The mask as it lies in the row: [note.height, note.width] of 0 and 1.
std::vector<float> scaledMask(const PictureNote& note, const detection::RunLengthMask& mask)
{
    const std::vector<uint8_t> pixels = detection::decodeMask(mask);
    const std::vector<std::size_t> columns = nearest(mask.width, note.width, note.mirrored);
    const std::vector<std::size_t> rows = nearest(mask.height, note.height, false);
    std::vector<float> scaled;
    scaled.reserve(rows.size() * columns.size());
    for (const std::size_t y : rows)
        for (const std::size_t x : columns)
            scaled.push_back(float(pixels[y * std::size_t(mask.width) + x]));
    return scaled;
}

} // namespace

void maskTargets(const PictureNote& note, int32_t number, std::span<const float> boxes, int edge,
                 std::span<float> targets)
{
    SB_REQUIRE(note.stored != nullptr, "mask targets: the batch does not say which objects it has");
    const std::size_t object = std::size_t(note.objects.at(std::size_t(number)));
    const detection::RunLengthMask& mask = note.stored->objects.at(object).mask;
    SB_REQUIRE(!mask.empty(), "picture " + std::to_string(note.stored->id) + ": object " +
                                  std::to_string(object) + " has no mask");
    const std::vector<float> pixels = scaledMask(note, mask);
    RoiAlignParams p;
    p.H = note.height, p.W = note.width;
    p.rois = int64_t(boxes.size() / 4);
    p.outH = p.outW = edge;
    p.samplingRatio = 0;
    std::vector<float> rois;
    for (std::size_t i = 0; i < boxes.size(); i += 4) {
        rois.push_back(0);
        rois.insert(rois.end(), boxes.begin() + std::ptrdiff_t(i),
                    boxes.begin() + std::ptrdiff_t(i + 4));
    }
    kernels::cpu::roiAlignForward(p, pixels.data(), rois.data(), nullptr, targets.data());
}

} // namespace scalebench
