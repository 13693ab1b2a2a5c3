// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/heartbeat.h"

#include <chrono>
#include <utility>

namespace scalebench::train
{

using namespace std::chrono_literals;

Heartbeat::Heartbeat(report::ResultsWriter& writer, const Activity& activity)
    : writer_(writer), activity_(activity), thread_([this] { run(); })
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

void Heartbeat::run()
{
    report::RunStream stream(writer_);
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, 250ms, [this] { return stop_; })) {
        if (std::chrono::steady_clock::now() - writer_.lastWrite() < 1s)
            continue;
        lock.unlock();
        std::exception_ptr failure;
        try {
            stream.progress(activity_.phase.load(), activity_.done, activity_.total);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (failure)
            failure_ = failure;
    }
}

} // namespace scalebench::train
