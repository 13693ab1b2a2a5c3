// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What disturbed a measurement: time that other programs or a hypervisor took, how fast the
// processor's clock ran and how far its processors were from one another. A figure that was
// disturbed says so beside itself.

#include "engine/bench/bench.h"
#include "engine/bench/report.h"
#include "engine/report/host_load.h"

#include <string>

namespace scalebench::bench {

/// Cycles per second of the core this thread runs on, by a chain of multiplications of which each
/// waits three cycles for the one before (x86-64: all processors of the last ten years); best of
/// `tries` of some 50 us. 0 elsewhere.
double measureClock(int tries);

/// The remark beside a figure, or nothing: a rate beyond what was measured as the limit, a large
/// spread, time lost to others. `shareOfPeak`: 1 = the peak; 0 where there is none. `peak`: what
/// the limit is called.
std::string remarkOf(const Timing& timing, double shareOfPeak, const char* peak = "peak");
/// Into the row's "note", behind what is there.
void addRemark(std::map<std::string, Json>& row, const Timing& timing, double shareOfPeak);

/// From construction to finish(), the load of the whole host.
class DisturbanceWatch
{
public:
    /// `together`: several threads or workers are measured, and this is the one that reports.
    explicit DisturbanceWatch(bool together);
    /// Processor seconds of this process since then.
    double ownSeconds() const;
    /// Adds "load" to the report's JSON and a sentence below the table; says so where the figures
    /// were disturbed. `ownS`, `threads`: of this benchmark, all workers of this host together.
    void finish(double ownS, int threads, Report& report) const;

private:
    report::LoadCounters before_;
    double ownS_;
    std::int64_t switches_;
    double clock_;
    bool together_;
    double handover_; ///< measureHandover(), or 0
};

/// Before and after a measurement.
struct BeforeAfter {
    double before = 0, after = 0;
};

/// The two halves of finish(), for tests: what the JSON holds, and its sentence. `clock` in cycles
/// per second, `handover` in nanoseconds, 0 where unknown.
Json loadJson(const report::HostLoad& load, std::int64_t switches, BeforeAfter clock,
              BeforeAfter handover, int threads);
std::string loadSentence(const Json& load);

/// Involuntary context switches of this process so far.
std::int64_t involuntarySwitches();

} // namespace scalebench::bench
