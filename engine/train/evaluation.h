// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One worker's share of an evaluation.

#include "engine/data/batch_source.h"
#include "engine/dist/communicator.h"
#include "engine/nn/network.h"
#include "engine/workloads/evaluator.h"

#include <atomic>
#include <cstdint>
#include <functional>

namespace scalebench::train {

/// Replaces the batch-norm running statistics by their mean over the workers: they differ unless
/// synchronised, and an evaluation needs the same on all. Collective.
void averageBuffers(dist::Communicator& communicator, Backend& backend, ParameterSet& parameters);

/// Shows this worker's batches to `evaluator` and returns the bytes that were read for them. Not
/// collective. `done` grows with the samples; ends early, with what it has, once `stopRequested`.
int64_t evaluateShare(const data::BatchSource& batches, workloads::Evaluator& evaluator,
                      Backend& backend, Network& network, int inputThreads,
                      std::atomic<int64_t>& done, const std::function<bool()>& stopRequested);

} // namespace scalebench::train
