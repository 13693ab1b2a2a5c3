// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/proposals.h"

#include "kernels/boxes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace scalebench {
namespace {

/// The candidates of all levels, level after level.
struct Candidates {
    std::vector<float> boxes, scores;
    std::vector<int32_t> levels;
};

/// Numbers of the best `count` anchors of [begin, end), best first.
std::vector<std::size_t> bestAnchors(std::span<const float> scores, std::size_t begin,
                                     std::size_t end, std::size_t count)
{
    const auto score = [&](std::size_t a) {
        return std::isnan(scores[a]) ? -std::numeric_limits<float>::infinity() : scores[a];
    };
    std::vector<std::size_t> anchors(end - begin);
    std::iota(anchors.begin(), anchors.end(), begin);
    count = std::min(count, anchors.size());
    std::ranges::partial_sort(anchors, anchors.begin() + std::ptrdiff_t(count),
                              [&](std::size_t a, std::size_t b) {
                                  return score(a) != score(b) ? score(a) > score(b) : a < b;
                              });
    anchors.resize(count);
    return anchors;
}

/// The chosen anchors moved by their deltas and cut to the picture; tiny ones are left out.
void addMoved(const AnchorOutputs& outputs, std::span<const std::size_t> chosen, int32_t level,
              int width, int height, double smallest, Candidates& all)
{
    std::vector<float> anchors, deltas, boxes(4 * chosen.size());
    for (const std::size_t a : chosen)
        for (std::size_t i = 4 * a; i < 4 * a + 4; ++i) {
            anchors.push_back(outputs.anchors[i]);
            deltas.push_back(outputs.deltas[i]);
        }
    const auto n = int64_t(chosen.size());
    kernels::cpu::boxDecode({}, n, 1, anchors.data(), deltas.data(), boxes.data());
    kernels::cpu::clipBoxes(n, float(width), float(height), boxes.data());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const float* box = &boxes[4 * i];
        // Said this way round, a box that is no number is dropped too.
        if (!(double(box[2] - box[0]) >= smallest && double(box[3] - box[1]) >= smallest))
            continue;
        all.boxes.insert(all.boxes.end(), box, box + 4);
        all.scores.push_back(outputs.scores[chosen[i]]);
        all.levels.push_back(level);
    }
}

} // namespace

std::vector<float> proposeBoxes(const AnchorOutputs& outputs, int width, int height,
                                const ProposalOptions& options)
{
    Candidates all;
    std::size_t begin = 0;
    for (std::size_t level = 0; level < outputs.anchorsByLevel.size(); ++level) {
        const std::size_t end = begin + std::size_t(outputs.anchorsByLevel[level]);
        const std::vector<std::size_t> chosen =
            bestAnchors(outputs.scores, begin, end, std::size_t(options.perLevel));
        addMoved(outputs, chosen, int32_t(level), width, height, options.smallest, all);
        begin = end;
    }
    const auto n = int64_t(all.scores.size());
    std::vector<int32_t> keep(all.scores.size());
    std::vector<uint8_t> scratch(kernels::cpu::nmsScratch(n));
    const int64_t kept =
        kernels::cpu::nms({float(options.nmsOverlap), options.total}, n, all.boxes.data(),
                          all.scores.data(), all.levels.data(), keep.data(), scratch.data());
    std::vector<float> boxes;
    for (const int32_t i : std::span(keep).first(std::size_t(kept)))
        boxes.insert(boxes.end(), all.boxes.begin() + 4 * i, all.boxes.begin() + 4 * i + 4);
    return boxes;
}

} // namespace scalebench
