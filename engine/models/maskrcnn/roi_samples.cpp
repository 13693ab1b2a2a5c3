// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/roi_samples.h"

#include "engine/models/maskrcnn/region_sampling.h"
#include "kernels/boxes.h"

#include <algorithm>
#include <cstddef>

namespace scalebench {

RoiSample sampleRegions(const PictureNote& note, const std::vector<float>& proposals,
                        const RoiSampleOptions& options)
{
    std::vector<float> regions = proposals;
    regions.insert(regions.end(), note.corners.begin(), note.corners.end());
    const auto n = int64_t(regions.size() / 4), boxes = int64_t(note.categories.size());
    std::vector<int32_t> match(static_cast<std::size_t>(n));
    std::vector<uint8_t> scratch(kernels::cpu::matchScratch(boxes, n));
    const auto overlap = float(options.overlap);
    kernels::cpu::matchBoxes({overlap, overlap, BestMatch::None}, boxes, n, note.corners.data(),
                             regions.data(), match.data(), nullptr, scratch.data());
    data::HashRandom random({note.randomKey, 2});
    const RegionSample drawn = drawRegions(match, options.count, options.positiveShare, random);

    RoiSample sample;
    const auto box = [](const std::vector<float>& of, int32_t i) { return of.data() + 4 * i; };
    for (const auto* part : {&drawn.positives, &drawn.negatives})
        for (const int32_t i : *part)
            sample.boxes.insert(sample.boxes.end(), box(regions, i), box(regions, i) + 4);
    std::vector<float> truth;
    for (const int32_t i : drawn.positives) {
        const int32_t object = match[std::size_t(i)];
        sample.objects.push_back(object);
        sample.labels.push_back(note.categories[std::size_t(object)] + 1);
        truth.insert(truth.end(), box(note.corners, object), box(note.corners, object) + 4);
    }
    sample.labels.resize(sample.labels.size() + drawn.negatives.size(), 0);
    sample.targets.resize(truth.size());
    BoxCodingParams coding;
    std::ranges::copy(kRoiWeights, coding.weights);
    kernels::cpu::boxEncode(coding, sample.positives(), sample.boxes.data(), truth.data(),
                            sample.targets.data());
    return sample;
}

} // namespace scalebench
