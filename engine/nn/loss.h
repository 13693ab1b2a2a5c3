// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Softmax cross-entropy with label smoothing, as one fused op (Szegedy et al. 2015, arXiv
// 1512.00567, section 7: target = (1 - e) * one-hot + e / classes, as torch.nn.CrossEntropyLoss).

#include <cstdint>

#include "engine/autograd/tape.h"
#include "engine/backend/ops/loss_sums.h"

namespace scalebench {

struct LossParams {
    float labelSmoothing = 0.0f; ///< in [0,1)
    /// Factor of the sum over rows. 1 / globalBatchSize makes the gradients of k workers add up to
    /// the gradient of the mean loss over the global batch.
    float scale = 1.0f;
    std::int32_t ignoreLabel = -1; ///< leaves its row out, as every negative label does
    /// The gradient overwrites the logits, for large vocabularies; nothing else may read them.
    bool overwriteLogits = false;
};

struct LossResult {
    Variable loss; ///< scalar F32 [1]: scale * lossSum
    /// lossSum over the counted rows of this worker, NaN or infinite if diverged; correct: rows
    /// whose largest logit is the label (first one on ties); counted: rows with a label >= 0.
    LossSums sums;
};

/// logits: [N,classes] F32 or BF16; labels: [N] I32, a negative label leaves its row out (padding
/// of a last batch). InvalidArgument for wrong shapes or types or a label >= classes.
LossResult softmaxCrossEntropy(Tape& tape, const Variable& logits, const Tensor& labels,
                               const LossParams& params);

} // namespace scalebench
