// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An evaluation beside the training (`--async-eval`): a second network takes a snapshot of the
// parameters and is evaluated on a thread of its own while training goes on. Never communicates:
// the trainer merges what the workers found when every one is ready.

#include "engine/train/device_factory.h"
#include "engine/train/evaluation.h"
#include "engine/workloads/workload.h"

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <thread>

namespace scalebench::train {

class AsyncEvaluation
{
public:
    /// `makeNetwork` builds the same network as the one that is trained; `workload` is open and
    /// outlives this. `threads`: of the computation; `inputThreads`: that make batches.
    AsyncEvaluation(const workloads::Workload& workload, const BackendFactory& makeBackend,
                    const std::function<std::unique_ptr<Network>(Backend&)>& makeNetwork,
                    int threads, int inputThreads);
    ~AsyncEvaluation();
    AsyncEvaluation(const AsyncEvaluation&) = delete;
    AsyncEvaluation& operator=(const AsyncEvaluation&) = delete;

    /// Copies the parameters and starts; not while one is running.
    void start(Backend& trained, const ParameterSet& parameters, double epoch, int64_t samplesSeen);
    /// Started and not yet collected.
    bool pending() const { return pending_; }
    /// The thread is done: collect() will not wait.
    bool ready() const { return pending_ && done_; }
    double epoch() const { return epoch_; }
    int64_t samplesSeen() const { return samplesSeen_; }
    /// Waits for the end; rethrows what went wrong. Valid until the next start().
    const workloads::Evaluator& collect();

    /// Over all evaluations that were collected.
    int64_t bytesRead() const { return pending_ ? bytesBefore_ : bytesRead_; }

private:
    const workloads::Workload& workload_;
    int threads_, inputThreads_;
    std::unique_ptr<Backend> backend_;
    std::unique_ptr<Network> network_;
    std::thread thread_;
    std::atomic<bool> done_{false}, abandon_{false};
    std::atomic<int64_t> samplesDone_{0};
    bool pending_ = false;
    double epoch_ = 0;
    int64_t samplesSeen_ = 0;
    int64_t bytesRead_ = 0;   ///< the thread's while it runs
    int64_t bytesBefore_ = 0; ///< it began
    std::unique_ptr<workloads::Evaluator> evaluator_;
    std::exception_ptr failure_;
};

} // namespace scalebench::train
