// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses on the tape. Each returns a scalar to start backward() from, or to add to others, and the
// plain sum behind it. Predictions are F32 or BF16; targets, labels and weights are constants.
// Shapes: engine/backend/ops/loss_ops.h.

#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

struct RecordedLoss {
    Variable loss; ///< F32 [1]: scale * sum
    LossSums sums; ///< unscaled; NaN or infinite if diverged
};

/// Softmax cross-entropy with the counts of a classifier. args.inPlace: the logits are overwritten
/// when there is a gradient; nothing else may read them afterwards.
RecordedLoss softmaxCrossEntropy(Tape& tape, const Variable& logits, const Tensor& labels,
                                 const SoftmaxCrossEntropyArgs& args);

/// weights may be undefined.
RecordedLoss sigmoidCrossEntropy(Tape& tape, const Variable& logits, const Tensor& targets,
                                 const Tensor& weights, float scale);
/// weights (one per row) may be undefined here and below.
RecordedLoss focalLoss(Tape& tape, const Variable& logits, const Tensor& labels,
                       const Tensor& weights, const FocalLossArgs& args);
RecordedLoss smoothL1(Tape& tape, const Variable& predictions, const Tensor& targets,
                      const Tensor& weights, const SmoothL1Args& args);

} // namespace scalebench::autograd
