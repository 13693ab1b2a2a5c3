// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/thread_time.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace scalebench {

namespace {

qint64 clockNs(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return qint64(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// What the scheduler tells of a thread (the kernel's Documentation/scheduler/sched-stats): ns on a
/// processor, ns ready without one, turns.
class SchedulerFile
{
public:
    SchedulerFile() : m_file(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}
    ~SchedulerFile()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    SchedulerFile(const SchedulerFile&) = delete;
    SchedulerFile& operator=(const SchedulerFile&) = delete;

    qint64 readyNs() const
    {
        char text[96] = {};
        long long cpu = 0, ready = 0;
        if (m_file < 0 || ::pread(m_file, text, sizeof text - 1, 0) <= 0 ||
            std::sscanf(text, "%lld %lld", &cpu, &ready) != 2)
            return -1;
        return ready;
    }

private:
    int m_file;
};

constexpr qint64 kNearNs = 500'000; ///< a hundredth of what a window's event may take

constexpr double kWorkMs = 1.8; ///< of sort() on an idle machine of today

/// Sorting numbers: branches and memory, as layouts and painting have them.
double workMs()
{
    std::vector<quint32> numbers(30'000);
    quint32 state = 1;
    for (quint32& number : numbers)
        number = state = state * 1664525U + 1013904223U;
    const qint64 start = clockNs(CLOCK_THREAD_CPUTIME_ID);
    std::sort(numbers.begin(), numbers.end());
    return double(clockNs(CLOCK_THREAD_CPUTIME_ID) - start) / 1e6;
}

} // namespace

ThreadTime ThreadTime::now()
{
    thread_local const SchedulerFile scheduler;
    thread_local ThreadTime last;
    ThreadTime time;
    time.m_wallNs = clockNs(CLOCK_MONOTONIC);
    time.m_cpuNs = clockNs(CLOCK_THREAD_CPUTIME_ID);
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    time.m_sleeps = usage.ru_nvcsw;
    // The file takes most of the time. What it told so shortly before is near enough.
    if (last.m_wallNs != 0 && time.m_wallNs - last.m_wallNs < kNearNs) {
        time.m_readyNs = last.m_readyNs;
        return time;
    }
    time.m_readyNs = scheduler.readyNs();
    last = time;
    return time;
}

ThreadTime ThreadTime::operator-(const ThreadTime& earlier) const
{
    ThreadTime passed;
    passed.m_wallNs = m_wallNs - earlier.m_wallNs;
    passed.m_cpuNs = m_cpuNs - earlier.m_cpuNs;
    passed.m_readyNs = m_readyNs < 0 || earlier.m_readyNs < 0 ? -1 : m_readyNs - earlier.m_readyNs;
    passed.m_sleeps = m_sleeps - earlier.m_sleeps;
    return passed;
}

double ThreadTime::blockedMs() const
{
    return m_readyNs < 0 || m_sleeps == 0
               ? 0
               : std::max(0.0, double(m_wallNs - m_cpuNs - m_readyNs) / 1e6);
}

double crowdNow()
{
    double load = 0;
    const long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
    if (getloadavg(&load, 1) != 1)
        return 1;
    // The mean of a minute says nothing of what has just begun: those that are ready now count too.
    int ready = 0;
    if (std::FILE* file = std::fopen("/proc/loadavg", "re")) {
        if (std::fscanf(file, "%*f %*f %*f %d/", &ready) != 1)
            ready = 0;
        std::fclose(file);
    }
    return std::max({1.0, load / double(processors), double(ready) / double(processors)});
}

double slownessNow()
{
    // The least of some: what disturbs only one of them says nothing of the processor.
    double least = workMs();
    for (int round = 0; round < 2; ++round)
        least = std::min(least, workMs());
    return std::max(1.0, least / kWorkMs);
}

} // namespace scalebench
