// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/retinanet/retina_detect.h"

#include "kernels/boxes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace scalebench {
namespace {

/// LevelCandidates of a picture, all levels.
struct LevelCandidates {
    std::vector<float> boxes, scores;
    std::vector<std::int32_t> categories;
};

/// One level of one picture.
struct LevelView {
    std::span<const float> logits, deltas, anchors;
    std::size_t categories = 0;
};

/// The best pairs (logit, anchor * categories + category), best first, ties in order.
std::vector<std::pair<float, std::size_t>> bestPairs(const LevelView& level,
                                                     const DetectOptions& options)
{
    // sigmoid(z) > t  <=>  z > log(t / (1 - t)): no exponential for the many that are below.
    const auto least = float(std::log(options.scoreThreshold / (1 - options.scoreThreshold)));
    std::vector<std::pair<float, std::size_t>> best;
    for (std::size_t i = 0; i < level.logits.size(); ++i)
        if (level.logits[i] > least)
            best.emplace_back(level.logits[i], i);
    const auto better = [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    };
    const auto kept = std::min(best.size(), std::size_t(options.candidates));
    std::partial_sort(best.begin(), best.begin() + std::ptrdiff_t(kept), best.end(), better);
    best.resize(kept);
    return best;
}

void addLevel(const LevelView& level, const PictureNote& note, const DetectOptions& options,
              LevelCandidates& to)
{
    for (const auto& [logit, pair] : bestPairs(level, options)) {
        const std::size_t anchor = pair / level.categories;
        float box[4];
        kernels::cpu::boxDecode({}, 1, 1, &level.anchors[4 * anchor], &level.deltas[4 * anchor],
                                box);
        kernels::cpu::clipBoxes(1, float(note.width), float(note.height), box);
        to.boxes.insert(to.boxes.end(), box, box + 4);
        to.scores.push_back(1.0f / (1.0f + std::exp(-logit)));
        to.categories.push_back(std::int32_t(pair % level.categories));
    }
}

std::vector<FoundObject> suppressed(const LevelCandidates& all, const DetectOptions& options)
{
    const auto n = std::int64_t(all.scores.size());
    std::vector<std::uint8_t> scratch(kernels::cpu::nmsScratch(n));
    std::vector<std::int32_t> keep(all.scores.size());
    const std::int64_t kept =
        kernels::cpu::nms({float(options.nmsOverlap), options.detections}, n, all.boxes.data(),
                          all.scores.data(), all.categories.data(), keep.data(), scratch.data());
    std::vector<FoundObject> found;
    for (const std::int32_t i : std::span(keep).first(std::size_t(kept))) {
        const float* box = &all.boxes[4 * std::size_t(i)];
        found.push_back({all.categories[std::size_t(i)],
                         all.scores[std::size_t(i)],
                         box[0],
                         box[1],
                         box[2],
                         box[3],
                         {}});
    }
    return found;
}

} // namespace

std::vector<std::vector<FoundObject>> retinaDetections(std::span<const RetinaOutputs> levels,
                                                       std::span<const float> anchors,
                                                       const std::vector<PictureNote>& notes,
                                                       const DetectOptions& options)
{
    std::vector<std::vector<FoundObject>> found(notes.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t n = 0; n < notes.size(); ++n) {
        LevelCandidates all;
        std::size_t first = 0;
        for (const RetinaOutputs& level : levels) {
            const auto count = std::size_t(level.logits.dim(1));
            const auto categories = std::size_t(level.logits.dim(2));
            addLevel({level.logits.f32().subspan(n * count * categories, count * categories),
                      level.deltas.f32().subspan(n * count * 4, count * 4),
                      anchors.subspan(4 * first, 4 * count), categories},
                     notes[n], options, all);
            first += count;
        }
        found[n] = suppressed(all, options);
    }
    return found;
}

} // namespace scalebench
