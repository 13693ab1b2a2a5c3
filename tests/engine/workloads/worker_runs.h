// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the tests of workloads ask of any number of workers: one evaluation, one step, and which
// samples a step has. Workers are threads of this process or follow one another, from the same
// initial weights.

#include "engine/core/thread_count.h"
#include "engine/train/load_run_config.h"
#include "engine/workloads/workload.h"
#include "support/thread_communicator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
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

/// The workload of one worker, with its data open. `memory` outlives it.
inline std::unique_ptr<workloads::Workload> openedBy(const RunConfig& config, int rank, int workers,
                                                     Allocator& memory)
{
    auto workload = config.recipe->make(config);
    workload->prepareNode(1, {});
    workload->measure();
    workload->open({{rank, workers}, memory, 1, {}});
    return workload;
}

/// What workers do in a step together: loss and gradients, summed over them.
struct StepOf {
    double loss = 0;
    std::vector<double> gradient;
};

/// Micro-batch `index` of `epoch` with the initial weights. `see` gets the batch of every worker.
inline StepOf stepBy(const RunConfig& config, int workers, int64_t epoch, int64_t index,
                     const std::function<void(const Batch&)>& see = {})
{
    StepOf sum;
    for (int rank = 0; rank < workers; ++rank) {
        CachingAllocator memory;
        const auto workload = openedBy(config, rank, workers, memory);
        const auto backend = makeCpuBackend();
        const auto network = workload->makeNetwork(*backend, {});
        Batch batch;
        workload->training().fill(epoch, index, batch);
        if (see)
            see(batch);
        Tape tape(*backend);
        const double scale = workload->lossScale(config.globalBatch);
        const LossResult result = network->loss(tape, batch, {.scale = float(scale)}, true);
        tape.backward(result.loss);
        sum.loss += result.sums.get().lossSum * scale;
        const std::span<float> own = network->parameters().gradients();
        sum.gradient.resize(own.size());
        for (size_t i = 0; i < own.size(); ++i)
            sum.gradient[i] += double(own[i]);
    }
    return sum;
}

/// The samples that the workers have together in each micro-batch of `epoch`, in no order.
/// samples(batch) gives a value that tells each of a batch's samples from others.
template <class Samples>
auto samplesBy(const RunConfig& config, int workers, int64_t epoch, const Samples& samples)
{
    using Sample = typename decltype(samples(Batch()))::value_type;
    std::vector<std::multiset<Sample>> steps;
    for (int rank = 0; rank < workers; ++rank) {
        CachingAllocator memory;
        const auto workload = openedBy(config, rank, workers, memory);
        const int64_t batches = workload->training().batches(epoch);
        steps.resize(size_t(batches));
        for (int64_t b = 0; b < batches; ++b) {
            Batch batch;
            workload->training().fill(epoch, b, batch);
            for (const Sample& sample : samples(batch))
                steps[size_t(b)].insert(sample);
        }
    }
    return steps;
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

/// How far the gradient of such a step by two and three workers is from that of one, relatively;
/// infinite where a worker's batch is not its share. For networks whose samples do not depend on
/// one another.
inline double gradientGap(const RunConfig& config, int64_t epoch, int64_t index)
{
    bool shares = true;
    std::vector<double> one;
    double gap = 0;
    for (const int workers : {1, 2, 3}) {
        const StepOf step = stepBy(config, workers, epoch, index, [&](const Batch& batch) {
            shares = shares && batch.samples == config.globalBatch / workers;
        });
        if (workers == 1)
            one = step.gradient;
        gap = std::max(gap, relativeGap(step.gradient, one));
    }
    return shares ? gap : std::numeric_limits<double>::infinity();
}

} // namespace scalebench::tests
