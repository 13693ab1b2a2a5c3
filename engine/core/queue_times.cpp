// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/queue_times.h"

#include "engine/core/file_content.h"

#include <filesystem>
#include <sstream>
#include <system_error>

namespace scalebench {

QueueTimes queueTimesOf(const std::string& schedstat)
{
    std::istringstream in(schedstat);
    double ranNs = 0, waitedNs = 0;
    std::int64_t turns = 0;
    in >> ranNs >> waitedNs >> turns;
    return in ? QueueTimes{waitedNs / 1e9, turns} : QueueTimes{};
}

QueueTimes queueTimesOfThread()
{
    return queueTimesOf(contentOf("/proc/thread-self/schedstat"));
}

QueueTimes queueTimesOfProcess()
{
    QueueTimes all;
    std::error_code gone;
    std::filesystem::directory_iterator task("/proc/self/task", gone);
    for (const std::filesystem::directory_iterator end; task != end; task.increment(gone)) {
        const QueueTimes one = queueTimesOf(contentOf(task->path().string() + "/schedstat"));
        all.waitedS += one.waitedS;
        all.turns += one.turns;
    }
    return all;
}

} // namespace scalebench
