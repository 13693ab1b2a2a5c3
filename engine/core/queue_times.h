// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How long a thread that could have computed had no processor.

#include <cstdint>
#include <string>

namespace scalebench {

/// How long threads have waited in run queues, and how often they were given a processor. Sleeping,
/// as for a disk, does not count.
struct QueueTimes {
    double waitedS = 0;
    std::int64_t turns = 0;
};

/// Of the text of a task's schedstat in /proc (the kernel's
/// Documentation/scheduler/sched-stats.rst); zeros where it is none.
QueueTimes queueTimesOf(const std::string& schedstat);
/// Of the calling thread; of all of the process, but for those that have ended.
QueueTimes queueTimesOfThread();
QueueTimes queueTimesOfProcess();

} // namespace scalebench
