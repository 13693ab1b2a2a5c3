// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/find_boxes.h"

#include "engine/models/maskrcnn/roi_samples.h"
#include "kernels/boxes.h"
#include "kernels/softmax.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace scalebench {

std::vector<FoundObject> findBoxes(std::span<const float> boxes, std::span<const float> logits,
                                   std::span<const float> deltas, int width, int height,
                                   const DetectOptions& options)
{
    const std::size_t regions = boxes.size() / 4;
    if (regions == 0)
        return {};
    const std::size_t classes = logits.size() / regions;
    std::vector<float> scores(logits.size()), moved(deltas.size());
    kernels::cpu::softmaxForward(DType::F32, int64_t(regions), int64_t(classes), logits.data(),
                                 scores.data());
    BoxCodingParams coding;
    std::ranges::copy(kRoiWeights, coding.weights);
    kernels::cpu::boxDecode(coding, int64_t(regions), int64_t(classes), boxes.data(), deltas.data(),
                            moved.data());
    kernels::cpu::clipBoxes(int64_t(moved.size() / 4), float(width), float(height), moved.data());

    std::vector<float> corners, taken;
    std::vector<int32_t> categories;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const float* box = &moved[4 * i];
        if (i % classes == 0 || !(scores[i] > float(options.scoreThreshold)) ||
            !(box[2] - box[0] >= kSmallestFound && box[3] - box[1] >= kSmallestFound))
            continue;
        corners.insert(corners.end(), box, box + 4);
        taken.push_back(scores[i]);
        categories.push_back(int32_t(i % classes) - 1);
    }
    const auto n = int64_t(taken.size());
    std::vector<int32_t> keep(taken.size());
    std::vector<uint8_t> scratch(kernels::cpu::nmsScratch(n));
    const int64_t kept =
        kernels::cpu::nms({float(options.nmsOverlap), options.detections}, n, corners.data(),
                          taken.data(), categories.data(), keep.data(), scratch.data());
    std::vector<FoundObject> found;
    for (const int32_t k : std::span(keep).first(std::size_t(kept))) {
        const float* box = &corners[4 * std::size_t(k)];
        const auto i = std::size_t(k);
        found.push_back({categories[i], taken[i], box[0], box[1], box[2], box[3], {}});
    }
    return found;
}

} // namespace scalebench
