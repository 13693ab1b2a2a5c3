// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An NCCL communicator that two threads share: the worker's, which calls, and a watchdog's, which
// looks at it and may abort it. An abort is flag, unlock, abort: NCCL's teardown waits for recorded
// graphs that refer to the communicator, and whoever holds those must be able to leave.
//
// Calls do not block by default: each is under a lock that is held for a moment, and no thread is
// inside NCCL when the communicator is taken away. With NCCL's own variable NCCL_COMM_BLOCKING=1
// they block in NCCL, without the lock, and an abort ends the one that hangs.

#include <nccl.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace scalebench::dist {

class NcclComm
{
public:
    /// Collective over the workers that have the same `id`. `timeout`: seconds that a call may take
    /// (0: for ever).
    NcclComm(int rank, int size, const ncclUniqueId& id, double timeout);
    /// Destroys the communicator, or aborts it after a failure: the others may never come.
    ~NcclComm();
    NcclComm(const NcclComm&) = delete;
    NcclComm& operator=(const NcclComm&) = delete;

    /// `f(ncclComm_t)` gives NCCL's result. CommError ("nccl"), or as requireUsable(). With
    /// `enqueued` the work is in its stream when this returns; calls inside of a group cannot wait.
    template <class F>
    void call(const char* name, bool enqueued, F&& f)
    {
        std::unique_lock lock(mutex_);
        throwIfLost();
        const ncclComm_t comm = comm_;
        if (blocking_) {
            callSince_ = Clock::now();
            lock.unlock();
        }
        const ncclResult_t result = f(comm);
        if (blocking_) {
            lock.lock();
            callSince_ = {};
            throwIfLost();
        }
        require(result, name);
        lock.unlock();
        if (enqueued && !blocking_)
            waitUntilEnqueued(name);
    }

    /// Throws what ended the communicator, if something did: CollectiveError "collective_timeout"
    /// after an abort for its time, CommError "nccl" after an error.
    void requireUsable();

    // ---- For the watchdog

    /// Whether an asynchronous error broke the communicator; then abort() tells it.
    bool broken();
    /// Whether a blocking call lasts longer than the time-out.
    bool callHangs();
    /// From now on calls throw; what hangs in NCCL ends. Returns when NCCL has let go of
    /// everything, which may be after the last recorded graph is gone.
    void abort();

private:
    using Clock = std::chrono::steady_clock;

    void waitUntilEnqueued(const char* name);
    void require(ncclResult_t result, const char* name) const;
    void throwIfLost() const; ///< under the lock

    int rank_;
    double timeout_;
    bool blocking_;
    std::atomic<bool> lost_{false};

    std::mutex mutex_; ///< of NCCL's calls and what follows
    ncclComm_t comm_ = nullptr;
    ncclResult_t error_ = ncclSuccess; ///< why it is lost; success: time
    Clock::time_point callSince_{};
};

} // namespace scalebench::dist
