// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/ssd/ssd_detect.h"

#include "kernels/boxes.h"
#include "kernels/softmax.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace scalebench {
namespace {

/// Boxes of one category that survive suppression, with their scores.
struct Kept {
    std::vector<float> boxes, scores;
};

Kept suppress(std::vector<std::pair<float, std::size_t>>& candidates,
              std::span<const float> corners, const DetectOptions& options)
{
    std::ranges::sort(candidates, [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    candidates.resize(std::min(candidates.size(), std::size_t(options.candidates)));
    std::vector<float> boxes, scores;
    for (const auto& [score, a] : candidates) {
        boxes.insert(boxes.end(), corners.begin() + std::ptrdiff_t(4 * a),
                     corners.begin() + std::ptrdiff_t(4 * a + 4));
        scores.push_back(score);
    }
    const auto n = std::int64_t(scores.size());
    std::vector<std::uint8_t> scratch(kernels::cpu::nmsScratch(n));
    std::vector<std::int32_t> keep(scores.size());
    const std::int64_t kept =
        kernels::cpu::nms({float(options.nmsOverlap), -1}, n, boxes.data(), scores.data(), nullptr,
                          keep.data(), scratch.data());
    Kept out;
    for (const std::int32_t i : std::span(keep).first(std::size_t(kept))) {
        out.scores.push_back(scores[std::size_t(i)]);
        out.boxes.insert(out.boxes.end(), boxes.begin() + 4 * i, boxes.begin() + 4 * i + 4);
    }
    return out;
}

} // namespace

std::vector<FoundObject> ssdDetections(std::span<const float> logits, std::span<const float> deltas,
                                       std::span<const float> defaults, int edge,
                                       const DetectOptions& options)
{
    const std::size_t anchors = defaults.size() / 4, classes = logits.size() / anchors;
    std::vector<float> scores(logits.size());
    kernels::cpu::softmaxForward(DType::F32, std::int64_t(anchors), std::int64_t(classes),
                                 logits.data(), scores.data());
    std::vector<float> corners(defaults.size());
    constexpr BoxCodingParams kCoding{{10, 10, 5, 5}, std::numeric_limits<float>::infinity()};
    kernels::cpu::boxDecode(kCoding, std::int64_t(anchors), 1, defaults.data(), deltas.data(),
                            corners.data());
    kernels::cpu::clipBoxes(std::int64_t(anchors), 1.0f, 1.0f, corners.data());
    std::vector<FoundObject> found;
    for (std::size_t category = 1; category < classes; ++category) {
        std::vector<std::pair<float, std::size_t>> candidates;
        for (std::size_t a = 0; a < anchors; ++a)
            if (const float score = scores[a * classes + category];
                score > float(options.scoreThreshold))
                candidates.emplace_back(score, a);
        const Kept kept = suppress(candidates, corners, options);
        for (std::size_t i = 0; i < kept.scores.size(); ++i) {
            const float* b = &kept.boxes[4 * i];
            const auto pixels = float(edge);
            found.push_back({std::int32_t(category) - 1,
                             kept.scores[i],
                             b[0] * pixels,
                             b[1] * pixels,
                             b[2] * pixels,
                             b[3] * pixels,
                             {}});
        }
    }
    std::ranges::stable_sort(found, std::greater{}, &FoundObject::score);
    found.resize(std::min(found.size(), std::size_t(options.detections)));
    return found;
}

} // namespace scalebench
