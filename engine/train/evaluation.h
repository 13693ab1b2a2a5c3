// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One evaluation, shared among the workers: every sample counts exactly once.

#include "engine/dist/communicator.h"
#include "engine/nn/network.h"
#include "engine/train/task.h"

#include <atomic>
#include <cstdint>
#include <functional>

namespace scalebench::train {

struct EvalShareOf {
    int64_t samples = 0;   ///< of the whole evaluation set
    int64_t batchSize = 0; ///< per worker
    int rank = 0, workers = 1;
};

struct EvalCounts {
    int64_t correct = 0;
    int64_t counted = 0;
};

/// Replaces the batch-norm running statistics by their mean over the workers: they differ unless
/// synchronised, and an evaluation needs the same on all. Collective.
void averageBuffers(dist::Communicator& communicator, Backend& backend, ParameterSet& parameters);

/// This worker's share; sums over the workers are the caller's. Not collective. `done` grows with
/// the samples; ends early, with what it has, once `stopRequested`.
EvalCounts evaluateShare(const Task& task, Backend& backend, Network& network,
                         const EvalShareOf& share, std::atomic<int64_t>& done,
                         const std::function<bool()>& stopRequested);

} // namespace scalebench::train
