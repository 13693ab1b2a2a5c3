// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/host_load.h"

#include "engine/core/file_content.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

namespace scalebench::report {
namespace {

bool isProcessor(const std::string& name)
{
    return name.size() > 3 && name.starts_with("cpu") && name[3] >= '0' && name[3] <= '9';
}

/// Of all processor packages; 0 where there are none or only root may read them.
double packageJoules()
{
    double joules = 0;
    std::error_code none;
    for (const auto& zone : std::filesystem::directory_iterator("/sys/class/powercap", none)) {
        // Zones inside a package ("intel-rapl:0:1") are counted by it.
        if (std::ranges::count(zone.path().filename().string(), ':') == 1 &&
            contentOf(zone.path() / "name").starts_with("package"))
            joules += std::strtod(contentOf(zone.path() / "energy_uj").c_str(), nullptr) / 1e6;
    }
    return joules;
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

void LoadCounters::parseState(const std::string& cpuinfo, const std::string& meminfo,
                              const std::string& netDev)
{
    double sumMhz = 0;
    int clocks = 0;
    std::istringstream lines(cpuinfo);
    for (std::string line; std::getline(lines, line);)
        if (const size_t colon = line.find(':');
            line.starts_with("cpu MHz") && colon != line.npos) {
            sumMhz += std::strtod(line.c_str() + colon + 1, nullptr);
            ++clocks;
        }
    clockMhz = clocks > 0 ? sumMhz / clocks : 0;
    std::istringstream memory(meminfo);
    for (std::string line; std::getline(memory, line);) {
        std::istringstream words(line);
        std::string name;
        int64_t kib = 0;
        words >> name >> kib;
        if (name == "MemTotal:")
            memoryBytes = kib * 1024;
        else if (name == "MemAvailable:")
            memoryFreeBytes = kib * 1024;
    }
    std::istringstream interfaces(netDev);
    for (std::string line; std::getline(interfaces, line);) {
        const size_t colon = line.find(':');
        if (colon == line.npos || line.substr(0, colon).ends_with(" lo"))
            continue;
        std::istringstream words(line.substr(colon + 1)); // 8 figures received, then those sent
        int64_t received = 0, skipped = 0, sent = 0;
        words >> received;
        for (int i = 0; i < 7; ++i)
            words >> skipped;
        words >> sent;
        receivedBytes += received;
        sentBytes += sent;
    }
}

LoadCounters LoadCounters::read()
{
    LoadCounters counters =
        parse(contentOf("/proc/stat"), contentOf("/proc/vmstat"), ::sysconf(_SC_CLK_TCK));
    counters.parseState(contentOf("/proc/cpuinfo"), contentOf("/proc/meminfo"),
                        contentOf("/proc/net/dev"));
    counters.energyJ = packageJoules();
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
    load.clockMhz = after.clockMhz;
    load.memoryBytes = after.memoryBytes;
    load.memoryUsedBytes = std::max<int64_t>(0, after.memoryBytes - after.memoryFreeBytes);
    load.sentBytes = std::max<int64_t>(0, after.sentBytes - before.sentBytes);
    load.receivedBytes = std::max<int64_t>(0, after.receivedBytes - before.receivedBytes);
    load.energyJ = std::max(0.0, after.energyJ - before.energyJ);
    return load;
}

} // namespace scalebench::report
