// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/heartbeat.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace scalebench::train {

using namespace std::chrono_literals;

namespace {
/// How long nothing may move before the heartbeat falls silent; longer where steps are slow.
constexpr std::chrono::steady_clock::duration kPatience = 60s;
constexpr std::chrono::steady_clock::duration kGpuPeriod = 5s;
} // namespace

Heartbeat::Heartbeat(report::ResultsWriter& writer, const Activity& activity,
                     GpuTelemetry telemetry)
    : writer_(writer),
      activity_(activity),
      telemetry_(std::move(telemetry)),
      thread_([this] { run(); })
{
}

Heartbeat::~Heartbeat()
{
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void Heartbeat::check()
{
    std::exception_ptr failure;
    {
        const std::lock_guard lock(mutex_);
        failure = std::exchange(failure_, nullptr);
    }
    if (failure)
        std::rethrow_exception(failure);
}

void Heartbeat::writeGpu(report::RunStream& stream)
{
    if (const report::Json value = telemetry_(); !value.is_null())
        stream.gpu(value);
}

void Heartbeat::run()
{
    report::RunStream stream(writer_);
    auto lastChange = std::chrono::steady_clock::now();
    std::chrono::steady_clock::duration longestPause{};
    const char* phase = activity_.phase;
    int64_t done = activity_.done;
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, 250ms, [this] { return stop_; })) {
        const auto now = std::chrono::steady_clock::now();
        if (phase != activity_.phase || done != activity_.done) {
            longestPause = std::max(longestPause, now - lastChange);
            lastChange = now;
            phase = activity_.phase;
            done = activity_.done;
        }
        // A worker that hangs in a collective must not look alive: whoever watches the stream takes
        // silence for a stall.
        if (now - lastChange > std::max(kPatience, 5 * longestPause))
            continue;
        const bool progressDue = now - writer_.lastWrite() >= 1s;
        const bool gpuDue = telemetry_ && now >= nextGpu_;
        if (!progressDue && !gpuDue)
            continue;
        lock.unlock();
        std::exception_ptr failure;
        try {
            if (progressDue)
                stream.progress(activity_.phase.load(), activity_.done, activity_.total);
            if (gpuDue) {
                nextGpu_ = now + kGpuPeriod;
                writeGpu(stream);
            }
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (failure)
            failure_ = failure;
    }
}

} // namespace scalebench::train
