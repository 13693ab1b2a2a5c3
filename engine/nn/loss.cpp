// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/loss.h"

#include "engine/backend/backend.h"

namespace scalebench {

LossResult softmaxCrossEntropy(Tape& tape, const Variable& logits, const Tensor& labels,
                               const LossParams& params)
{
    Backend& backend = tape.backend();
    const bool needs = tape.recording() && logits.needsGradient();
    Tensor gradLogits;
    const SoftmaxCeResult r = backend.loss().softmaxCrossEntropy(
        logits.value(), labels, params.labelSmoothing, params.scale, needs, gradLogits);
    Tensor loss = Tensor::empty({1}, DType::F32, backend.allocator());
    loss.f32()[0] = float(double(params.scale) * r.lossSum);
    LossResult result;
    result.lossSum = r.lossSum;
    result.correct = r.correct;
    result.counted = r.counted;
    // The gradient of the logits is ready; a loss is where backward starts, so its own is 1.
    result.loss = tape.record("softmax cross-entropy", std::move(loss), needs,
                              [gradLogits, slot = logits.slot()](std::vector<Tensor>) {
                                  Tape::addGradient(slot, gradLogits);
                              });
    return result;
}

} // namespace scalebench
