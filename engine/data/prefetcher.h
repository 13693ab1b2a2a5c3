// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Makes batches ahead of their use on background threads and measures how long the user waits.

#include "engine/data/pipeline.h"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace scalebench::data {

/// Fills batch number `index`. Called from one thread at a time unless `threads` > 1.
using FillBatch = std::function<void(int64_t index, Batch& batch)>;

/// Batches first, first+1, ... last-1 in order, made `slots` ahead. One user thread.
/// An exception while filling is rethrown by the next() that would have returned that batch.
class Prefetcher
{
public:
    Prefetcher(int64_t first, int64_t last, FillBatch fill, int slots = 3, int threads = 1);
    ~Prefetcher();
    Prefetcher(const Prefetcher&) = delete;
    Prefetcher& operator=(const Prefetcher&) = delete;

    /// The next batch; valid until the next call. Throws std::out_of_range behind the last one.
    const Batch& next();
    /// Milliseconds next() has waited, and bytes read from storage, over all batches given out.
    double waitedMs() const { return waitedMs_; }
    int64_t bytesRead() const { return bytesRead_; }

private:
    struct Slot {
        Batch batch;
        int64_t index = -1; ///< batch that this slot holds or is filled with
        bool ready = false;
        std::exception_ptr failure;
    };
    void work();

    int64_t last_;
    FillBatch fill_;
    int64_t nextToFill_;
    int64_t nextToGive_;
    bool stop_ = false;
    std::vector<Slot> slots_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::condition_variable freed_;
    double waitedMs_ = 0;
    int64_t bytesRead_ = 0;
    std::vector<std::thread> threads_;
};

} // namespace scalebench::data
