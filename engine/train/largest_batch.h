// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// After an out-of-memory: the batch that would have fitted.

#include "engine/nn/network.h"

#include <cstdint>

namespace scalebench::train {

/// The largest part of the batch that was seen to go forward and backward, within a thirty-second
/// of the largest that does: guessed from the memory of a few samples, then tried. 0 when not even
/// one sample fits or the batch cannot be cut (tensors whose first axis is not the samples).
/// Overwrites gradients and batch-norm statistics; talks to no other worker.
int64_t largestBatchThatFits(Backend& backend, Network& network, const Batch& batch,
                             const LossParams& params);

} // namespace scalebench::train
