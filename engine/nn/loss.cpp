// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/loss.h"

#include "engine/autograd/functions/loss.h"

namespace scalebench {

LossResult softmaxCrossEntropy(Tape& tape, const Variable& logits, const Tensor& labels,
                               const LossParams& params)
{
    const SoftmaxCrossEntropyArgs args{params.labelSmoothing, params.scale, params.ignoreLabel,
                                       params.overwriteLogits};
    const autograd::ClassifierLoss r = autograd::softmaxCrossEntropy(tape, logits, labels, args);
    LossResult result;
    result.loss = r.loss;
    result.lossSum = r.sum;
    result.correct = r.correct;
    result.counted = r.counted;
    return result;
}

} // namespace scalebench
