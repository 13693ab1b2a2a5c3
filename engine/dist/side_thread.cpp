// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/side_thread.h"

#include "engine/core/processors.h"

#include <utility>

namespace scalebench::dist {

SideThread::SideThread() : thread_(helperThread([this] { serve(); })) {}

SideThread::~SideThread()
{
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void SideThread::add(std::function<void()> work)
{
    {
        const std::lock_guard lock(mutex_);
        queue_.push(std::move(work));
    }
    wake_.notify_one();
}

void SideThread::wait()
{
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return (queue_.empty() && !busy_) || failure_; });
    if (failure_)
        std::rethrow_exception(failure_);
}

void SideThread::serve()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stop_ || !queue_.empty(); });
        if (stop_)
            return;
        const std::function<void()> work = std::move(queue_.front());
        queue_.pop();
        busy_ = true;
        lock.unlock();
        std::exception_ptr failure;
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        busy_ = false;
        if (failure)
            failure_ = failure;
        if (queue_.empty() || failure_)
            idle_.notify_all();
    }
}

} // namespace scalebench::dist
