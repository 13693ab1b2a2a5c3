// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a host did while a run measured on it: other processes, time taken by a hypervisor,
// swapping, clocks, memory, network and energy. From /proc and /sys, so of the whole host (of the
// network: of the container) that the run is on (proc(5), Documentation/power/powercap).

#include <cstdint>
#include <optional>
#include <string>

namespace scalebench::report {

/// Counters since the host's start. What the host does not tell is 0.
struct LoadCounters {
    double seconds = 0;    ///< of a clock that only goes forward
    int processors = 0;    ///< online
    double busyS = 0;      ///< processor seconds in which any process ran, all processors together
    double stolenS = 0;    ///< in which one was ready to run and the hypervisor gave the time away
    int64_t swapPages = 0; ///< read from and written to swap
    double clockMhz = 0;   ///< now, mean of the processors
    int64_t memoryBytes = 0, memoryFreeBytes = 0; ///< free: what programs can still have
    int64_t sentBytes = 0, receivedBytes = 0;     ///< over all interfaces but the loopback
    double energyJ = 0; ///< of the processor packages; restarts at 0 now and then

    /// Of this host; processors 0 where /proc/stat cannot be read.
    static LoadCounters read();
    /// From the text of /proc/stat and /proc/vmstat.
    static LoadCounters parse(const std::string& stat, const std::string& vmstat,
                              int64_t ticksPerSecond);
    /// Clock, memory and network from the text of /proc/cpuinfo, meminfo and net/dev.
    void parseState(const std::string& cpuinfo, const std::string& meminfo,
                    const std::string& netDev);
};

/// Processor seconds of this process so far, user and system, all its threads.
double processSeconds();

/// One host over one epoch: means, in processors (1.0: one processor all the time).
struct HostLoad {
    int node = 0;
    std::string host;
    double seconds = 0;
    int processors = 0;
    double own = 0;    ///< this run's workers
    double others = 0; ///< everything else
    double stolen = 0; ///< by the hypervisor
    int64_t swappedBytes = 0;
    double clockMhz = 0;         ///< at the end; 0: not told
    int64_t memoryBytes = 0;     ///< 0: not told
    int64_t memoryUsedBytes = 0; ///< at the end
    int64_t sentBytes = 0, receivedBytes = 0;
    double energyJ = 0; ///< 0: not told
};

/// `ownS`: processor seconds of all this run's workers on the host between the two readings.
/// Nothing where the host tells no counters or no time has passed.
std::optional<HostLoad> hostLoad(const LoadCounters& before, const LoadCounters& after,
                                 double ownS);

} // namespace scalebench::report
