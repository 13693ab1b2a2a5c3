// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ncf/train_batches.h"

namespace scalebench::workloads {

TrainBatches::TrainBatches(const Interactions& set, const NcfRecipe& recipe,
                           const RunConfig& config, const OpenContext& context)
    : samples_(set, recipe.negatives, uint64_t(config.seed)),
      globalBatch_(config.globalBatch),
      accumulate_(config.options.gradAccum),
      slice_(context.slice),
      memory_(context.batchMemory)
{
}

int64_t TrainBatches::batches(int64_t) const
{
    return samples_.perEpoch() / globalBatch_ * accumulate_;
}

void TrainBatches::fill(int64_t epoch, int64_t index, Batch& batch) const
{
    const auto [first, size] = data::microBatchRange(index, globalBatch_, accumulate_, slice_);
    batch.tensors.clear(); // their memory is used again
    batch.tensors = {Tensor::empty({size}, DType::I32, memory_),
                     Tensor::empty({size}, DType::I32, memory_),
                     Tensor::empty({size}, DType::F32, memory_)};
    batch.samples = size;
    batch.bytesRead = 0;
    samples_.fill(samples_.order(epoch), first, batch.tensors[0].i32(), batch.tensors[1].i32(),
                  batch.tensors[2].f32());
}

} // namespace scalebench::workloads
