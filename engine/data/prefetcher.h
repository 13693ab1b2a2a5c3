// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Makes batches ahead of their use on background threads and measures how long the user waits.

#include "engine/core/input_times.h"
#include "engine/data/batch_source.h"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace scalebench::data {

/// A place in the sequence of a source's batches: epochs one after the other.
struct BatchPosition {
    int64_t epoch = 0;
    int64_t index = 0; ///< may be the number of the epoch's batches: then the next epoch's first
};

/// The batches of `source` from `first` up to the end of epoch `lastEpoch`, in order, made `slots`
/// ahead. One user thread. An exception while filling is rethrown by the next() that would have
/// returned that batch. The source must outlive this.
class Prefetcher
{
public:
    /// `kept`: so many batches stay valid behind the one that next() gave last.
    Prefetcher(const BatchSource& source, BatchPosition first, int64_t lastEpoch, int threads = 1,
               int slots = 3, int kept = 0);
    ~Prefetcher();
    Prefetcher(const Prefetcher&) = delete;
    Prefetcher& operator=(const Prefetcher&) = delete;

    /// The next batch; valid until the next call, or as many later as are kept. Throws
    /// std::out_of_range behind the last one.
    const Batch& next();
    /// Whether next() would give a batch at once.
    bool ready();
    /// Milliseconds next() has waited, and bytes read from storage, over all batches given out.
    double waitedMs() const { return waitedMs_; }
    int64_t bytesRead() const { return bytesRead_; }
    /// What the threads did for the batches given out since the last call.
    InputTimes takeTimes() { return std::exchange(times_, {}); }

private:
    struct Slot {
        Batch batch;
        int64_t number = -1; ///< of the batch that this slot holds or is filled with
        bool ready = false;
        InputTimes times;
        std::exception_ptr failure;
    };
    void work();
    bool atEnd() const;
    BatchPosition take();

    const BatchSource& source_;
    BatchPosition next_; ///< to be filled
    int64_t lastEpoch_;
    int64_t batchesOfEpoch_ = 0;     ///< next_.epoch
    int64_t ahead_;                  ///< so far behind the batch in use slots are filled
    int64_t filled_ = 0, given_ = 0; ///< taken to be filled; handed out
    bool stop_ = false;
    std::vector<Slot> slots_;
    std::mutex mutex_;
    std::condition_variable ready_;
    std::condition_variable freed_;
    double waitedMs_ = 0;
    int64_t bytesRead_ = 0;
    InputTimes times_;
    std::vector<std::thread> threads_;
};

} // namespace scalebench::data
