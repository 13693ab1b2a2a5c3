// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/loss.h"

#include <utility>

namespace scalebench::autograd {
namespace {

/// The scalar of a loss whose gradient is already there.
Variable scalar(Tape& tape, const char* op, const Variable& predictions, Tensor value,
                Tensor gradient)
{
    return tape.record(op, std::move(value), gradient.defined(),
                       [&tape, gradient, slot = predictions.slot()](std::vector<Tensor> grads) {
                           // Backward mostly starts here; a factor where losses were weighted
                           // afterwards.
                           if (grads.size() == 1 && tape.isSeed(grads[0])) {
                               Tape::addGradient(slot, gradient);
                               return;
                           }
                           ElementwiseOps& ops = tape.backend().elementwise();
                           const Tensor outer = ops.sum(std::move(grads));
                           Tape::addGradient(slot,
                                             ops.binaryForward(BinaryOp::Multiply, gradient,
                                                               ops.cast(outer, gradient.dtype())));
                       });
}

bool needsGradient(const Tape& tape, const Variable& predictions)
{
    return tape.recording() && predictions.needsGradient();
}

} // namespace

RecordedLoss softmaxCrossEntropy(Tape& tape, const Variable& logits, const Tensor& labels,
                                 const SoftmaxCrossEntropyArgs& args)
{
    Tensor gradient;
    LossOutput out = tape.backend().loss().softmaxCrossEntropy(
        logits.value(), labels, args, needsGradient(tape, logits), gradient);
    return {
        scalar(tape, "softmax cross-entropy", logits, std::move(out.value), std::move(gradient)),
        std::move(out.sums)};
}

RecordedLoss sigmoidCrossEntropy(Tape& tape, const Variable& logits, const Tensor& targets,
                                 const Tensor& weights, float scale)
{
    Tensor gradient;
    LossOutput out = tape.backend().loss().sigmoidCrossEntropy(
        logits.value(), targets, weights, scale, needsGradient(tape, logits), gradient);
    return {
        scalar(tape, "sigmoid cross-entropy", logits, std::move(out.value), std::move(gradient)),
        std::move(out.sums)};
}

RecordedLoss focalLoss(Tape& tape, const Variable& logits, const Tensor& labels,
                       const Tensor& weights, const FocalLossArgs& args)
{
    Tensor gradient;
    LossOutput out = tape.backend().loss().focalLoss(logits.value(), labels, weights, args,
                                                     needsGradient(tape, logits), gradient);
    return {scalar(tape, "focal loss", logits, std::move(out.value), std::move(gradient)),
            std::move(out.sums)};
}

RecordedLoss smoothL1(Tape& tape, const Variable& predictions, const Tensor& targets,
                      const Tensor& weights, const SmoothL1Args& args)
{
    Tensor gradient;
    LossOutput out = tape.backend().loss().smoothL1(predictions.value(), targets, weights, args,
                                                    needsGradient(tape, predictions), gradient);
    return {scalar(tape, "smooth L1", predictions, std::move(out.value), std::move(gradient)),
            std::move(out.sums)};
}

} // namespace scalebench::autograd
