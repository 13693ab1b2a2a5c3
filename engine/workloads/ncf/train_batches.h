// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Micro-batches of training samples in a shuffled order, as NeuMF takes them.

#include "engine/workloads/ncf/ncf_workload.h"
#include "engine/workloads/ncf/negatives.h"

namespace scalebench::workloads {

class TrainBatches final : public data::BatchSource
{
public:
    /// `set` and the batch memory outlive this.
    TrainBatches(const Interactions& set, const NcfRecipe& recipe, const RunConfig& config,
                 const OpenContext& context);

    int64_t batches(int64_t epoch) const override;
    void fill(int64_t epoch, int64_t index, Batch& batch) const override;

private:
    TrainSamples samples_;
    int64_t globalBatch_;
    int accumulate_;
    data::WorkerSlice slice_;
    Allocator& memory_;
};

} // namespace scalebench::workloads
