// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A thread beside the one that computes, which does pieces of work (collectives) in the order in
// which they were given.

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

namespace scalebench::dist {

/// add() and wait() are for one thread, the one that computes.
class SideThread
{
public:
    SideThread();
    /// Waits for the piece under way; those that have not begun are dropped, and so is a failure.
    ~SideThread();
    SideThread(const SideThread&) = delete;
    SideThread& operator=(const SideThread&) = delete;

    void add(std::function<void()> work);
    /// Returns when all is done. Throws a failure as soon as there is one, now and ever after.
    void wait();

private:
    void serve();

    std::mutex mutex_; ///< of the next four
    std::queue<std::function<void()>> queue_;
    bool busy_ = false, stop_ = false;
    std::exception_ptr failure_;
    std::condition_variable wake_, idle_;
    std::thread thread_;
};

} // namespace scalebench::dist
