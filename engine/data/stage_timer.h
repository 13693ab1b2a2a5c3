// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the time goes that making batches takes: the functions that read and decode time
// themselves, whatever workload calls them, by the thread that runs them.

#include "engine/core/input_times.h"

#include <chrono>

namespace scalebench::data {

/// Adds the time of the scope that it is a local variable of to a stage of the running thread.
class StageTimer
{
public:
    explicit StageTimer(double InputTimes::*stage);
    ~StageTimer();
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    double InputTimes::*stage_;
    std::chrono::steady_clock::time_point start_;
};

/// What the running thread does while this lives. One at a time.
class StageWatch
{
public:
    StageWatch();
    /// So far; what was neither reading nor decoding is `augmentMs`.
    InputTimes times() const;

private:
    std::chrono::steady_clock::time_point start_;
};

} // namespace scalebench::data
