// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/loss.h"

#include "engine/autograd/functions/loss.h"

namespace scalebench {

LossResult softmaxCrossEntropy(Tape& tape, const Variable& logits, const Tensor& labels,
                               const LossParams& params)
{
    const SoftmaxCrossEntropyArgs args{params.labelSmoothing, params.scale, params.ignoreLabel,
                                       params.overwriteLogits};
    autograd::RecordedLoss r = autograd::softmaxCrossEntropy(tape, logits, labels, args);
    return {std::move(r.loss), std::move(r.sums)};
}

} // namespace scalebench
