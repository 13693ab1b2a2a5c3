// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/region_sampling.h"

#include "kernels/boxes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace scalebench {
namespace {

/// Leaves `count` of the items, drawn, in their order.
void keepDrawn(std::vector<int32_t>& items, std::size_t count, data::HashRandom& random)
{
    if (items.size() <= count)
        return;
    for (std::size_t i = 0; i < count; ++i)
        std::swap(items[i], items[i + random.below(uint32_t(items.size() - i))]);
    items.resize(count);
    std::ranges::sort(items);
}

} // namespace

RegionSample drawRegions(std::span<const int32_t> match, int count, double positiveShare,
                         data::HashRandom& random)
{
    RegionSample sample;
    for (std::size_t i = 0; i < match.size(); ++i)
        if (match[i] >= 0)
            sample.positives.push_back(int32_t(i));
        else if (match[i] == kBackground)
            sample.negatives.push_back(int32_t(i));
    keepDrawn(sample.positives, std::size_t(double(count) * positiveShare), random);
    keepDrawn(sample.negatives, std::size_t(count) - sample.positives.size(), random);
    return sample;
}

} // namespace scalebench
