// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluation.h"

#include "engine/backend/batch_pictures.h"
#include "engine/backend/host_copy.h"
#include "engine/data/prefetcher.h"
#include "kernels/check.h"

#include <algorithm>
#include <string>
#include <vector>

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

/// What to do about it: the batches of an evaluation have a size of their own.
static void addBatch(workloads::Evaluator& evaluator, Backend& backend, Network& network,
                     const Batch& batch)
{
    try {
        evaluator.add(backend, network, batch.pictures ? withPictures(backend, batch) : batch);
    } catch (const Error& e) {
        if (e.code() != "out_of_memory")
            throw;
        throw Error(e.code(), std::string(e.what()) + " The evaluation takes " +
                                  std::to_string(batch.samples) +
                                  " samples at once per worker; take fewer: --set eval_batch=" +
                                  std::to_string(std::max<int64_t>(1, batch.samples / 4)) + ".");
    }
}

int64_t evaluateShare(const data::BatchSource& batches, workloads::Evaluator& evaluator,
                      Backend& backend, Network& network, int inputThreads,
                      std::atomic<int64_t>& done, const std::function<bool()>& stopRequested)
{
    data::Prefetcher ahead(batches, {}, 0, inputThreads);
    for (int64_t b = batches.batches(0); b > 0 && !stopRequested(); --b) {
        const Batch& batch = ahead.next();
        addBatch(evaluator, backend, network, batch);
        done += batch.samples;
    }
    return ahead.bytesRead();
}

} // namespace scalebench::train
