// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/default_boxes.h"

#include "kernels/boxes.h"
#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace scalebench::detection {

int64_t DefaultBoxConfig::count() const
{
    int64_t n = 0;
    for (size_t i = 0; i < maps.size(); ++i)
        n += int64_t{maps[i]} * maps[i] * perPlace(i);
    return n;
}

std::vector<float> makeDefaultBoxes(const DefaultBoxConfig& config)
{
    const size_t n = config.maps.size();
    SB_REQUIRE(n > 0 && config.steps.size() == n && config.ratios.size() == n &&
                   config.scales.size() == n + 1,
               "default boxes need a step and ratios for each map and one scale more");
    std::vector<float> boxes;
    for (size_t m = 0; m < n; ++m) {
        const double edge = config.imageSize;
        const double own = config.scales[m] / edge, next = config.scales[m + 1] / edge;
        std::vector<std::pair<double, double>> sizes = {{own, own}};
        sizes.emplace_back(std::sqrt(own * next), std::sqrt(own * next));
        for (const double ratio : config.ratios[m]) {
            const double w = own * std::sqrt(ratio), h = own / std::sqrt(ratio);
            sizes.emplace_back(w, h);
            sizes.emplace_back(h, w);
        }
        const auto cut = [](double v) { return std::clamp(v, 0.0, 1.0); };
        for (int row = 0; row < config.maps[m]; ++row)
            for (int column = 0; column < config.maps[m]; ++column)
                for (const auto& [width, height] : sizes) {
                    const double x = cut((column + 0.5) * config.steps[m] / edge);
                    const double y = cut((row + 0.5) * config.steps[m] / edge);
                    const double w = cut(width) / 2, h = cut(height) / 2;
                    for (const double v : {x - w, y - h, x + w, y + h})
                        boxes.push_back(float(v));
                }
    }
    return boxes;
}

void assignBoxes(std::span<const float> defaults, const TrueBoxes& boxes, float overlapLeast,
                 std::span<int32_t> labels, std::span<float> targets)
{
    const auto anchors = int64_t(labels.size());
    const auto count = int64_t(boxes.categories.size());
    SB_REQUIRE(defaults.size() == size_t(anchors) * 4 && targets.size() == defaults.size() &&
                   boxes.corners.size() == size_t(count) * 4,
               "default boxes, labels and targets must be as many");
    const MatchParams match{overlapLeast, overlapLeast, BestMatch::Force};
    std::vector<uint8_t> scratch(kernels::cpu::matchScratch(count, anchors));
    kernels::cpu::matchBoxes(match, count, anchors, boxes.corners.data(), defaults.data(),
                             labels.data(), nullptr, scratch.data());
    constexpr BoxCodingParams kCoding{{10, 10, 5, 5}, std::numeric_limits<float>::infinity()};
    for (size_t a = 0; a < labels.size(); ++a) {
        float* to = targets.data() + 4 * a;
        if (labels[a] < 0) {
            labels[a] = 0;
            std::fill_n(to, 4, 0.0f);
            continue;
        }
        const auto box = size_t(labels[a]);
        kernels::cpu::boxEncode(kCoding, 1, defaults.data() + 4 * a, boxes.corners.data() + 4 * box,
                                to);
        labels[a] = boxes.categories[box] + 1;
    }
}

} // namespace scalebench::detection
