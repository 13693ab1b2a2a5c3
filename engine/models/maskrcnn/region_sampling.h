// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which anchors or regions of a picture are trained on (Ren et al. 2015, arXiv 1506.01497, section
// 3.1.3): so many, a share of them positive, drawn without repetition.

#include "engine/data/hash_random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench {

struct RegionSample {
    std::vector<int32_t> positives, negatives; ///< ascending
    int64_t count() const { return int64_t(positives.size() + negatives.size()); }
};

/// match: of each anchor, as kernels::cpu::matchBoxes() gives it: the number of a true box,
/// kBackground or kIgnored. At most `positiveShare` of `count` are positive; negatives fill up.
/// What is drawn depends on `random` only.
RegionSample drawRegions(std::span<const int32_t> match, int count, double positiveShare,
                         data::HashRandom& random);

} // namespace scalebench
