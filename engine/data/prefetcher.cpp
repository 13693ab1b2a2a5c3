// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/prefetcher.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace scalebench::data {

Prefetcher::Prefetcher(int64_t first, int64_t last, FillBatch fill, int slots, int threads)
    : last_(last),
      fill_(std::move(fill)),
      nextToFill_(first),
      nextToGive_(first),
      slots_(size_t(std::max(slots, threads + 1)))
{
    for (int t = 0; t < std::max(1, threads); ++t)
        threads_.emplace_back([this] { work(); });
}

Prefetcher::~Prefetcher()
{
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    freed_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void Prefetcher::work()
{
    // The batch in use (nextToGive_ - 1) keeps its slot until the user asks for the next one.
    const auto mayFill = [this] {
        return stop_ || nextToFill_ >= last_ ||
               nextToFill_ < nextToGive_ - 1 + int64_t(slots_.size());
    };
    std::unique_lock lock(mutex_);
    for (;;) {
        freed_.wait(lock, mayFill);
        if (stop_ || nextToFill_ >= last_)
            return;
        const int64_t index = nextToFill_++;
        Slot& slot = slots_[size_t(index) % slots_.size()];
        slot.ready = false;
        slot.index = index;
        lock.unlock();
        std::exception_ptr failure;
        try {
            slot.batch.index = index;
            fill_(index, slot.batch);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        slot.failure = failure;
        slot.ready = true;
        filled_.notify_all();
    }
}

const Batch& Prefetcher::next()
{
    std::unique_lock lock(mutex_);
    if (nextToGive_ >= last_)
        throw std::out_of_range("Prefetcher::next: no batch is left");
    const int64_t index = nextToGive_++;
    freed_.notify_all();
    Slot& slot = slots_[size_t(index) % slots_.size()];
    const auto isReady = [&] { return slot.index == index && slot.ready; };
    if (!isReady()) {
        const auto start = std::chrono::steady_clock::now();
        filled_.wait(lock, isReady);
        waitedMs_ +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
    }
    if (slot.failure)
        std::rethrow_exception(slot.failure);
    bytesRead_ += slot.batch.bytesRead;
    return slot.batch;
}

} // namespace scalebench::data
