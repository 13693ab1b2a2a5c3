// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluation.h"

#include "engine/autograd/tape.h"
#include "engine/data/prefetcher.h"
#include "engine/data/sampler.h"
#include "engine/nn/loss.h"

#include <algorithm>
#include <vector>

namespace scalebench::train {

void averageBuffers(dist::Communicator& communicator, ParameterSet& parameters)
{
    const std::span<float> buffers = parameters.bufferValues();
    if (communicator.size() == 1 || buffers.empty())
        return;
    communicator.allReduceSum(buffers);
    const float scale = 1.0f / float(communicator.size());
    for (float& value : buffers)
        value *= scale;
}

EvalCounts evaluateShare(const EvalTask& task, const dist::Communicator& communicator,
                         std::atomic<int64_t>& done, const std::function<bool()>& stopRequested)
{
    const data::EvalShare share =
        data::evalShare(task.samples, {communicator.rank(), communicator.size()});
    const int64_t batches = (share.last - share.first + task.batchSize - 1) / task.batchSize;
    data::Prefetcher batchesAhead(0, batches, [&](int64_t index, data::Batch& batch) {
        std::vector<int64_t> indices;
        const int64_t from = share.first + index * task.batchSize;
        for (int64_t i = from; i < std::min(from + task.batchSize, share.last); ++i)
            indices.push_back(i);
        // Fill the last batch up so that every batch has the shape the plans were made for.
        const size_t real = indices.size();
        indices.resize(size_t(task.batchSize), share.first);
        task.pipeline.fillEval(indices, batch);
        std::fill(batch.labels.begin() + std::ptrdiff_t(real), batch.labels.end(), -1);
    });
    EvalCounts counts;
    for (int64_t b = 0; b < batches && !stopRequested(); ++b) {
        const data::Batch& batch = batchesAhead.next();
        const Tensor images =
            Tensor::view(const_cast<float*>(batch.images.data()),
                         {batch.count, task.imageSize, task.imageSize, 3}, DType::F32);
        const Tensor labels =
            Tensor::view(const_cast<int32_t*>(batch.labels.data()), {batch.count}, DType::I32);
        Tape tape(task.backend, Tape::Mode::Inference);
        const LossResult result =
            task.network.loss(tape, {{images, labels}, batch.count}, {}, false);
        counts.correct += result.correct;
        counts.counted += result.counted;
        done += batch.count;
    }
    return counts;
}

} // namespace scalebench::train
