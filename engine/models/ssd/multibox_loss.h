// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SSD's training objective on the tape (kernels/multibox_loss.h), as MLPerf's reference normalises
// it: each picture's sum is divided by its own positives and a picture without any counts 0, so
// that k workers do the update of one.

#include "engine/autograd/tape.h"
#include "engine/backend/ops/loss_ops.h"
#include "engine/nn/loss.h"

namespace scalebench {

using MultiboxParams = MultiboxLossArgs;

/// logits [N,A,1+classes] (class 0: background) and deltas [N,A,4], F32 or BF16; labels I32 [N,A]
/// (0: background) and targets F32 [N,A,4] in the backend's memory, as detection::assignBoxes()
/// gives them. The loss of a picture: softmax cross-entropy of its positives and of its negatives
/// with the largest loss, and smooth L1 of the positives' deltas, over the positives. Nothing
/// travels to the host. sums: correct and counted over the boxes that were taken.
LossResult multiboxLoss(Tape& tape, const Variable& logits, const Variable& deltas,
                        const Tensor& labels, const Tensor& targets, const MultiboxParams& params);

} // namespace scalebench
