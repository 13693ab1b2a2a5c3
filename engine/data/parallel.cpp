// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/parallel.h"

#include "engine/core/processors.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace scalebench::data {

namespace {

/// Whatever ends the loop early: a thread that can be joined when it is destroyed ends the process.
class Pool
{
public:
    Pool(std::atomic<int64_t>& next, int64_t count) : next_(next), count_(count) {}
    ~Pool()
    {
        next_ = count_; // no further chunk
        join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void add(const std::function<void()>& work) { threads_.push_back(helperThread(work)); }
    void join()
    {
        for (std::thread& thread : threads_)
            thread.join();
        threads_.clear();
    }

private:
    std::atomic<int64_t>& next_;
    int64_t count_;
    std::vector<std::thread> threads_;
};

} // namespace

void parallelFor(int64_t count, int threads, const std::function<void(int64_t)>& body,
                 const std::function<void()>& tick)
{
    constexpr int64_t kChunk = 16;
    std::atomic<int64_t> next{0};
    std::mutex mutex;
    std::condition_variable ended;
    std::exception_ptr failure;
    int running = std::max(1, threads);
    const auto work = [&] {
        try {
            for (int64_t from; (from = next.fetch_add(kChunk)) < count;)
                for (int64_t i = from; i < std::min(count, from + kChunk); ++i)
                    body(i);
        } catch (...) {
            next = count;
            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        --running;
        ended.notify_one();
    };
    Pool pool(next, count);
    for (int t = running; t > 0; --t)
        pool.add(work);
    {
        std::unique_lock lock(mutex);
        while (
            !ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; })) {
            if (tick) {
                lock.unlock();
                tick();
                lock.lock();
            }
        }
    }
    pool.join();
    if (failure)
        std::rethrow_exception(failure);
    if (tick)
        tick();
}

} // namespace scalebench::data
