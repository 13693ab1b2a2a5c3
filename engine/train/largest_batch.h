// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// After an out-of-memory: the batch that would have fitted.

#include "engine/nn/network.h"

#include <cstdint>

namespace scalebench::train {

/// Measures forward and backward of the first one and two samples of the batch and extends the line
/// to the allocator's limit: a micro-batch's memory is a constant plus a part per sample. 0 when
/// not even two samples fit or the batch cannot be cut (tensors whose first axis is not the
/// samples). Overwrites gradients and batch-norm statistics; talks to no other worker.
int64_t largestBatchThatFits(Backend& backend, Network& network, const Batch& batch,
                             const LossParams& params);

} // namespace scalebench::train
