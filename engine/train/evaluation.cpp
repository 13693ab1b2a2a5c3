// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluation.h"

#include "engine/autograd/tape.h"
#include "engine/data/prefetcher.h"
#include "engine/data/sampler.h"
#include "engine/nn/loss.h"

#include <algorithm>
#include <vector>

#include "engine/backend/host_copy.h"

namespace scalebench::train {

void averageBuffers(dist::Communicator& communicator, Backend& backend, ParameterSet& parameters)
{
    if (communicator.size() == 1 || parameters.bufferValues().empty())
        return;
    std::vector<float> buffers = toHost(backend, parameters.bufferValues());
    communicator.allReduceSum(std::span<float>(buffers));
    const float scale = 1.0f / float(communicator.size());
    for (float& value : buffers)
        value *= scale;
    fromHost(backend, buffers, parameters.bufferValues());
}

EvalCounts evaluateShare(const Task& task, Backend& backend, Network& network,
                         const EvalShareOf& of, std::atomic<int64_t>& done,
                         const std::function<bool()>& stopRequested)
{
    const data::EvalShare share = data::evalShare(of.samples, {of.rank, of.workers});
    const int64_t batches = (share.last - share.first + of.batchSize - 1) / of.batchSize;
    data::Prefetcher batchesAhead(0, batches, [&](int64_t index, data::Batch& batch) {
        std::vector<int64_t> indices;
        const int64_t from = share.first + index * of.batchSize;
        for (int64_t i = from; i < std::min(from + of.batchSize, share.last); ++i)
            indices.push_back(i);
        // Fill the last batch up so that every batch has the shape the plans were made for.
        const int64_t real = int64_t(indices.size());
        indices.resize(size_t(of.batchSize), share.first);
        task.fillEval(indices, real, batch);
    });
    EvalCounts counts;
    for (int64_t b = 0; b < batches && !stopRequested(); ++b) {
        const data::Batch& batch = batchesAhead.next();
        Tape tape(backend, Tape::Mode::Inference);
        const LossResult result = network.loss(tape, task.tensors(batch), {}, false);
        const SoftmaxCeResult sums = result.sums.get();
        counts.correct += sums.correct;
        counts.counted += sums.counted;
        done += batch.count;
    }
    return counts;
}

} // namespace scalebench::train
