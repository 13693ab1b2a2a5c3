// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/align_batch.h"

#include <algorithm>
#include <cstdlib>

namespace scalebench::train {

int64_t alignedBatch(int64_t samples, int64_t batch, int64_t unit)
{
    const int64_t lowest = std::max(unit, (batch - batch / 4 + unit - 1) / unit * unit);
    const int64_t highest = std::min(samples, batch + batch / 4);
    int64_t best = batch;
    for (int64_t candidate = lowest; candidate <= highest; candidate += unit) {
        const int64_t dropped = samples % candidate, droppedBest = samples % best;
        const bool nearer = std::llabs(candidate - batch) < std::llabs(best - batch);
        if (dropped < droppedBest || (dropped == droppedBest && nearer))
            best = candidate;
    }
    return best;
}

} // namespace scalebench::train
