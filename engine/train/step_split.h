// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the time of training steps goes.

#include "engine/core/input_times.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace scalebench::train {

using SteadyClock = std::chrono::steady_clock;

inline double msSince(SteadyClock::time_point start)
{
    return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

/// Sums over one or more steps of this worker, in milliseconds.
struct StepSplit {
    double total = 0, compute = 0, comm = 0, input = 0;
    double rows = 0; ///< of comm: rows of owned tables on their way
    InputTimes made; ///< of the threads that made the batches, beside the steps
    int64_t steps = 0;
    int64_t samples = 0; ///< of all workers
    double lossSum = 0;

    void add(const StepSplit& other)
    {
        total += other.total;
        compute += other.compute;
        comm += other.comm;
        input += other.input;
        rows += other.rows;
        made.add(other.made);
        steps += other.steps;
        samples += other.samples;
        lossSum += other.lossSum;
    }
    double mean(double sum) const { return steps > 0 ? sum / double(steps) : 0; }
    double other() const { return std::max(0.0, total - compute - comm - input); }
};

} // namespace scalebench::train
