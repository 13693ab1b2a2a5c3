// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/retinanet/retina_targets.h"

#include "kernels/boxes.h"
#include "kernels/check.h"
#include "kernels/sigmoid_loss.h"

#include <algorithm>
#include <cstdint>

namespace scalebench {
namespace {

constexpr MatchParams kMatching{0.5f, 0.4f, BestMatch::Restore};

/// The object of each anchor of a picture, kBackground or kIgnored.
std::vector<std::int32_t> matched(std::span<const float> anchors, const PictureNote& note)
{
    const auto count = std::int64_t(anchors.size() / 4);
    const auto objects = std::int64_t(note.categories.size());
    std::vector<std::int32_t> match(anchors.size() / 4, kBackground);
    if (objects > 0) {
        std::vector<std::uint8_t> scratch(kernels::cpu::matchScratch(objects, count));
        kernels::cpu::matchBoxes(kMatching, objects, count, note.corners.data(), anchors.data(),
                                 match.data(), nullptr, scratch.data());
    }
    return match;
}

struct LevelTensors {
    Tensor labels, weights, targets, boxWeights;
};

/// Fills in the anchors [first, first + of the level) of a picture.
void fillLevel(const LevelTensors& level, std::size_t row, std::span<const float> anchors,
               std::span<const std::int32_t> match, const PictureNote& note, float weight)
{
    const std::size_t count = match.size();
    const auto labels = level.labels.i32().subspan(row * count, count);
    const auto boxWeights = level.boxWeights.f32().subspan(row * count, count);
    const auto targets = level.targets.f32().subspan(row * count * 4, count * 4);
    std::ranges::fill(level.weights.f32().subspan(row * count, count), weight);
    std::ranges::fill(targets, 0.0f);
    for (std::size_t a = 0; a < count; ++a) {
        const std::int32_t object = match[a];
        labels[a] = object == kBackground ? kFocalBackground
                    : object == kIgnored  ? kFocalIgnored
                                          : note.categories[std::size_t(object)];
        boxWeights[a] = object >= 0 ? weight : 0.0f;
        if (object >= 0)
            kernels::cpu::boxEncode({}, 1, &anchors[4 * a], &note.corners[4 * std::size_t(object)],
                                    &targets[4 * a]);
    }
}

} // namespace

void retinaTargets(const detection::AnchorConfig& config, std::span<const float> anchors,
                   int height, int width, const std::vector<PictureNote>& notes, Allocator& memory,
                   Batch& batch)
{
    const auto n = std::int64_t(notes.size());
    const std::vector<std::int64_t> counts = detection::anchorCounts(config, height, width);
    std::vector<LevelTensors> levels;
    for (const std::int64_t count : counts)
        levels.push_back({Tensor::empty({n, count}, DType::I32, memory),
                          Tensor::empty({n, count}, DType::F32, memory),
                          Tensor::empty({n, count, 4}, DType::F32, memory),
                          Tensor::empty({n, count}, DType::F32, memory)});
    for (std::size_t row = 0; row < notes.size(); ++row) {
        const std::vector<std::int32_t> match = matched(anchors, notes[row]);
        const auto found = std::ranges::count_if(match, [](std::int32_t m) { return m >= 0; });
        const float weight = 1.0f / float(std::max<std::ptrdiff_t>(found, 1));
        std::size_t first = 0;
        for (std::size_t l = 0; l < levels.size(); ++l) {
            const auto count = std::size_t(counts[l]);
            fillLevel(levels[l], row, anchors.subspan(4 * first, 4 * count),
                      std::span(match).subspan(first, count), notes[row], weight);
            first += count;
        }
        SB_REQUIRE(4 * first == anchors.size(), "RetinaNet: anchors of another picture size");
    }
    for (const LevelTensors& level : levels)
        for (const Tensor& tensor : {level.labels, level.weights, level.targets, level.boxWeights})
            batch.tensors.push_back(tensor);
}

} // namespace scalebench
