// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/host_load.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include <sys/resource.h>
#include <unistd.h>

namespace scalebench::report {
namespace {

std::string contentOf(const char* path)
{
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

bool isProcessor(const std::string& name)
{
    return name.size() > 3 && name.starts_with("cpu") && name[3] >= '0' && name[3] <= '9';
}

} // namespace

LoadCounters LoadCounters::parse(const std::string& stat, const std::string& vmstat,
                                 int64_t ticksPerSecond)
{
    LoadCounters counters;
    std::istringstream lines(stat);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        counters.processors += isProcessor(name) ? 1 : 0;
        if (name != "cpu")
            continue;
        // user (with guest), nice, system, idle, iowait, irq, softirq, steal
        int64_t v[8] = {};
        for (int64_t& value : v)
            words >> value;
        const double tick = 1.0 / double(std::max<int64_t>(ticksPerSecond, 1));
        counters.busyS = double(v[0] + v[1] + v[2] + v[5] + v[6]) * tick;
        counters.stolenS = double(v[7]) * tick;
    }
    std::istringstream pages(vmstat);
    int64_t value = 0;
    for (std::string name; pages >> name >> value;)
        if (name == "pswpin" || name == "pswpout")
            counters.swapPages += value;
    return counters;
}

LoadCounters LoadCounters::read()
{
    LoadCounters counters =
        parse(contentOf("/proc/stat"), contentOf("/proc/vmstat"), ::sysconf(_SC_CLK_TCK));
    using namespace std::chrono;
    counters.seconds = duration<double>(steady_clock::now().time_since_epoch()).count();
    return counters;
}

double processSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return double(t.tv_sec) + double(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::optional<HostLoad> hostLoad(const LoadCounters& before, const LoadCounters& after, double ownS)
{
    const double seconds = after.seconds - before.seconds;
    if (after.processors == 0 || seconds <= 0)
        return std::nullopt;
    HostLoad load;
    load.seconds = seconds;
    load.processors = after.processors;
    load.own = std::max(0.0, ownS) / seconds;
    // The kernel counts in ticks, a process exactly: the difference may be a little below zero.
    load.others = std::max(0.0, (after.busyS - before.busyS) / seconds - load.own);
    load.stolen = std::max(0.0, after.stolenS - before.stolenS) / seconds;
    load.swappedBytes =
        std::max<int64_t>(0, after.swapPages - before.swapPages) * ::sysconf(_SC_PAGESIZE);
    return load;
}

} // namespace scalebench::report
