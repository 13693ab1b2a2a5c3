// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the tests of workloads ask of any number of workers: one evaluation, and the gradient of one
// step. Workers are threads of this process, from the same initial weights.

#include "engine/core/thread_count.h"
#include "engine/train/load_run_config.h"
#include "engine/workloads/workload.h"
#include "support/thread_communicator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace scalebench::tests {

struct Measured {
    int64_t evalSamples = 0;
    std::vector<std::string> partials; ///< of the workers, in no order
    workloads::Evaluation result;      ///< of the worker that ended last

    size_t leastBytes() const ///< of a partial result
    {
        size_t least = std::numeric_limits<size_t>::max();
        for (const std::string& partial : partials)
            least = std::min(least, partial.size());
        return least;
    }
};

/// The untrained network's evaluation by so many workers. `see` gets every batch of every worker,
/// one at a time.
inline Measured measuredBy(const RunConfig& config, int workers,
                           const std::function<void(const Batch&)>& see = {})
{
    std::mutex mutex;
    Measured measured;
    scalebench::test::runThreads(workers, [&](dist::Communicator& comm) {
        setComputeThreads(1);
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        const int64_t samples = workload->measure().evalSamples;
        CachingAllocator memory;
        workload->open({{comm.rank(), workers}, memory, 1, {}});
        const auto backend = makeCpuBackend();
        const auto network = workload->makeNetwork(*backend, {});
        const auto evaluator = workload->makeEvaluator();
        const data::BatchSource& source = workload->evaluation();
        for (int64_t b = 0; b < source.batches(0); ++b) {
            Batch batch;
            source.fill(0, b, batch);
            evaluator->add(*backend, *network, batch);
            const std::lock_guard lock(mutex);
            if (see)
                see(batch);
        }
        const std::string partial = evaluator->partial();
        const workloads::Evaluation all = evaluator->merge(comm.allGather(partial));
        const std::lock_guard lock(mutex);
        measured.evalSamples = samples;
        measured.partials.push_back(partial);
        measured.result = all;
    });
    return measured;
}

/// The sum over the workers of their gradients of micro-batch `index` of `epoch`; empty where a
/// worker's batch is not its share.
inline std::vector<double> gradientBy(const RunConfig& config, int workers, int64_t epoch,
                                      int64_t index)
{
    std::vector<double> sum;
    for (int rank = 0; rank < workers; ++rank) {
        const auto workload = config.recipe->make(config);
        workload->prepareNode(1, {});
        workload->measure();
        CachingAllocator memory;
        workload->open({{rank, workers}, memory, 1, {}});
        const auto backend = makeCpuBackend();
        const auto network = workload->makeNetwork(*backend, {});
        Batch batch;
        workload->training().fill(epoch, index, batch);
        if (batch.samples != config.globalBatch / workers)
            return {};
        Tape tape(*backend);
        const auto scale = float(workload->lossScale(config.globalBatch));
        tape.backward(network->loss(tape, batch, {.scale = scale}, true).loss);
        const std::span<float> own = network->parameters().gradients();
        sum.resize(own.size());
        for (size_t i = 0; i < own.size(); ++i)
            sum[i] += double(own[i]);
    }
    return sum;
}

/// The largest difference over the largest number of `wanted`; infinite for other sizes or zeros.
inline double relativeGap(const std::vector<double>& got, const std::vector<double>& wanted)
{
    double largest = 0, worst = 0;
    if (got.size() != wanted.size())
        return std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < got.size(); ++i) {
        largest = std::max(largest, std::abs(wanted[i]));
        worst = std::max(worst, std::abs(got[i] - wanted[i]));
    }
    return largest > 0 ? worst / largest : std::numeric_limits<double>::infinity();
}

} // namespace scalebench::tests
