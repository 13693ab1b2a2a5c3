// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeps a stream alive: writes a progress record whenever nothing else was written for a while, as
// long as the activity moves (at least once in 60 s, or in five times its longest pause so far).
// While it does, it also writes what the run's GPU is doing, every 5 s.

#include "engine/report/run_stream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace scalebench::train {

/// What the run is doing now; set by the training thread, read by the heartbeat.
struct Activity {
    std::atomic<const char*> phase{"init"};
    std::atomic<int64_t> done{0};
    std::atomic<int64_t> total{0};

    void set(const char* newPhase, int64_t newTotal)
    {
        done = 0;
        total = newTotal;
        phase = newPhase;
    }
};

/// Value of a `gpu` record, taken on the heartbeat's thread; null: nothing to tell.
using GpuTelemetry = std::function<report::Json()>;

/// Owns a thread from construction to destruction. The writer reports a failure only once, so one
/// that meets the heartbeat is kept for the training thread to collect with check().
class Heartbeat
{
public:
    /// `telemetry` may be empty.
    Heartbeat(report::ResultsWriter& writer, const Activity& activity, GpuTelemetry telemetry = {});
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;
    /// Rethrows what the heartbeat's own writing failed with, once.
    void check();

private:
    void run();
    void writeGpu(report::RunStream& stream);
    report::ResultsWriter& writer_;
    const Activity& activity_;
    const GpuTelemetry telemetry_;
    std::chrono::steady_clock::time_point nextGpu_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stop_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

} // namespace scalebench::train
