// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the time of an epoch's steps went, over all ranks.

#include "run/run_record.h"

#include <algorithm>

namespace scalebench {

/// Sums over the ranks, and how much longer the slowest was busy than they.
struct EpochParts {
    int ranks = 0;
    double step = 0, compute = 0, comm = 0, input = 0;
    double busy = 0, mostBusy = 0;

    void add(const EpochSplit& split)
    {
        const double own = split.computeMs + split.inputMs + split.otherMs;
        ++ranks;
        step += split.stepMs;
        compute += split.computeMs;
        comm += split.commMs;
        input += split.inputMs;
        busy += own;
        mostBusy = std::max(mostBusy, own);
    }
    /// The part of the exchange in which the others wait for the slowest.
    double waits() const { return std::clamp(mostBusy * ranks - busy, 0.0, comm); }
};

} // namespace scalebench
