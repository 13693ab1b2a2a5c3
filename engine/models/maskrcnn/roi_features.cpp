// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/roi_features.h"

#include "engine/models/maskrcnn/rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scalebench {

int32_t levelOfRegion(const RoiLevels& levels, const float* box)
{
    const double size = std::sqrt(double(box[2] - box[0]) * double(box[3] - box[1]));
    const double level =
        std::floor(levels.canonicalLevel + std::log2(size / levels.canonicalSize) + 1e-6);
    // A region without area is of the finest level.
    return int32_t(std::clamp(level, 0.0, double(levels.strides.size()) - 1));
}

void Regions::add(int32_t image, const float* corners, int64_t n)
{
    images.insert(images.end(), std::size_t(n), image);
    boxes.insert(boxes.end(), corners, corners + 4 * n);
}

Variable regionFeatures(Tape& tape, const RoiLevels& levels, const std::vector<Variable>& maps,
                        const Regions& regions, int edge)
{
    std::vector<autograd::RoiLevel> of;
    for (std::size_t i = 0; i < levels.strides.size(); ++i)
        of.push_back({maps.at(i), 1.0f / float(levels.strides[i])});
    std::vector<float> rois;
    std::vector<int32_t> levelOf;
    for (std::size_t i = 0; i < regions.images.size(); ++i) {
        const float* box = &regions.boxes[4 * i];
        rois.push_back(float(regions.images[i]));
        rois.insert(rois.end(), box, box + 4);
        levelOf.push_back(levelOfRegion(levels, box));
    }
    RoiAlignArgs args;
    args.outH = args.outW = edge;
    Backend& backend = tape.backend();
    return autograd::roiAlign(tape, args, of, uploaded(backend, rois, {regions.count(), 5}),
                              uploadedIds(backend, levelOf));
}

} // namespace scalebench
