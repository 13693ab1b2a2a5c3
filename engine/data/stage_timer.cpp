// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/stage_timer.h"

#include <algorithm>

namespace scalebench::data {
namespace {

using Clock = std::chrono::steady_clock;

thread_local InputTimes ofThisThread;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

} // namespace

StageTimer::StageTimer(double InputTimes::*stage) : stage_(stage), start_(Clock::now()) {}

StageTimer::~StageTimer()
{
    ofThisThread.*stage_ += millisecondsSince(start_);
}

StageWatch::StageWatch() : start_(Clock::now())
{
    ofThisThread = {};
}

InputTimes StageWatch::times() const
{
    InputTimes times = ofThisThread;
    times.augmentMs = std::max(0.0, millisecondsSince(start_) - times.readMs - times.decodeMs);
    return times;
}

} // namespace scalebench::data
