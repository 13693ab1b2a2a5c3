// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/prefetcher.h"

#include "engine/core/processors.h"
#include "engine/data/stage_timer.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace scalebench::data {

Prefetcher::Prefetcher(const BatchSource& source, BatchPosition first, int64_t lastEpoch,
                       int threads, int slots, int kept)
    : source_(source),
      next_(first),
      lastEpoch_(lastEpoch),
      ahead_(std::max(slots, threads + 1)),
      slots_(size_t(ahead_ + kept))
{
    if (next_.epoch <= lastEpoch_)
        batchesOfEpoch_ = source_.batches(next_.epoch);
    for (int t = 0; t < std::max(1, threads); ++t)
        threads_.push_back(helperThread([this] { work(); }));
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

bool Prefetcher::atEnd() const
{
    return next_.epoch > lastEpoch_ ||
           (next_.epoch == lastEpoch_ && next_.index >= batchesOfEpoch_);
}

/// Not at the end.
BatchPosition Prefetcher::take()
{
    while (next_.index >= batchesOfEpoch_ && next_.epoch < lastEpoch_) {
        next_ = {next_.epoch + 1, 0};
        batchesOfEpoch_ = source_.batches(next_.epoch);
    }
    const BatchPosition taken = next_;
    ++next_.index;
    return taken;
}

void Prefetcher::work()
{
    // The batch in use (given_ - 1) keeps its slot until the user asks for the next one.
    const auto mayGoOn = [this] { return stop_ || atEnd() || filled_ < given_ - 1 + ahead_; };
    std::unique_lock lock(mutex_);
    for (;;) {
        freed_.wait(lock, mayGoOn);
        if (stop_ || atEnd())
            return;
        const BatchPosition at = take();
        const int64_t number = filled_++;
        Slot& slot = slots_[size_t(number) % slots_.size()];
        slot.ready = false;
        slot.number = number;
        lock.unlock();
        std::exception_ptr failure;
        const StageWatch watch;
        try {
            slot.batch.index = at.index;
            source_.fill(at.epoch, at.index, slot.batch);
        } catch (...) {
            failure = std::current_exception();
        }
        slot.times = watch.times();
        lock.lock();
        slot.failure = failure;
        slot.ready = true;
        ready_.notify_all();
    }
}

bool Prefetcher::ready()
{
    const std::lock_guard lock(mutex_);
    const Slot& slot = slots_[size_t(given_) % slots_.size()];
    return slot.number == given_ && slot.ready && !slot.failure;
}

const Batch& Prefetcher::next()
{
    std::unique_lock lock(mutex_);
    if (given_ == filled_ && atEnd())
        throw std::out_of_range("Prefetcher::next: no batch is left");
    const int64_t number = given_++;
    freed_.notify_all();
    Slot& slot = slots_[size_t(number) % slots_.size()];
    const auto isReady = [&] { return slot.number == number && slot.ready; };
    if (!isReady()) {
        const auto start = std::chrono::steady_clock::now();
        ready_.wait(lock, isReady);
        waitedMs_ +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
    }
    if (slot.failure)
        std::rethrow_exception(slot.failure);
    bytesRead_ += slot.batch.bytesRead;
    times_.add(slot.times);
    return slot.batch;
}

} // namespace scalebench::data
