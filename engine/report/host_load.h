// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What else a host did while a run measured on it: other processes, time taken by a hypervisor,
// swapping. From /proc, so of the whole host even inside a container (proc(5)).

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

    /// Of this host; processors 0 where /proc/stat cannot be read.
    static LoadCounters read();
    /// From the text of /proc/stat and /proc/vmstat.
    static LoadCounters parse(const std::string& stat, const std::string& vmstat,
                              int64_t ticksPerSecond);
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
};

/// `ownS`: processor seconds of all this run's workers on the host between the two readings.
/// Nothing where the host tells no counters or no time has passed.
std::optional<HostLoad> hostLoad(const LoadCounters& before, const LoadCounters& after,
                                 double ownS);

} // namespace scalebench::report
