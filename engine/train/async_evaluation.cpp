// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/async_evaluation.h"

#include "engine/backend/host_copy.h"

#include "engine/core/processors.h"
#include "engine/core/thread_count.h"

#include <algorithm>

namespace scalebench::train {

AsyncEvaluation::AsyncEvaluation(
    const workloads::Workload& workload, const BackendFactory& makeBackend,
    const std::function<std::unique_ptr<Network>(Backend&)>& makeNetwork, int threads,
    int inputThreads)
    : workload_(workload),
      threads_(threads),
      inputThreads_(inputThreads),
      backend_(makeBackend()),
      network_(makeNetwork(*backend_))
{
    network_->parameters().moveTo(*backend_);
}

AsyncEvaluation::~AsyncEvaluation()
{
    abandon_ = true;
    if (thread_.joinable())
        thread_.join();
}

void AsyncEvaluation::start(Backend& trained, const ParameterSet& parameters, double epoch,
                            int64_t samplesSeen)
{
    if (thread_.joinable())
        thread_.join();
    ParameterSet& copies = network_->parameters();
    fromHost(*backend_, toHost(trained, parameters.values()), copies.values());
    fromHost(*backend_, toHost(trained, parameters.bufferValues()), copies.bufferValues());
    network_->parameters().markValuesChanged();
    evaluator_ = workload_.makeEvaluator();
    bytesBefore_ = bytesRead_;
    pending_ = true;
    done_ = false;
    failure_ = nullptr;
    epoch_ = epoch;
    samplesSeen_ = samplesSeen;
    thread_ = helperThread([this] {
        setComputeThreads(threads_);
        try {
            backend_->enterThread();
            bytesRead_ +=
                evaluateShare(workload_.evaluation(), *evaluator_, *backend_, *network_,
                              inputThreads_, samplesDone_, [this] { return abandon_.load(); });
        } catch (...) {
            failure_ = std::current_exception();
        }
        done_ = true;
    });
}

const workloads::Evaluator& AsyncEvaluation::collect()
{
    thread_.join();
    pending_ = false;
    if (failure_)
        std::rethrow_exception(failure_);
    return *evaluator_;
}

} // namespace scalebench::train
