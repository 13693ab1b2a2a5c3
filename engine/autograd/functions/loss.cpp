// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/loss.h"

#include <utility>

namespace scalebench::autograd {
namespace {

/// The scalar of a loss whose gradient is already there.
Variable scalar(Tape& tape, const char* op, const Variable& predictions, float scale, double sum,
                Tensor gradient)
{
    Backend& backend = tape.backend();
    Tensor loss = Tensor::empty({1}, DType::F32, backend.allocator());
    loss.f32()[0] = float(double(scale) * sum);
    return tape.record(op, std::move(loss), gradient.defined(),
                       [&backend, gradient, slot = predictions.slot()](std::vector<Tensor> grads) {
                           // 1 where backward starts here; a factor where losses were weighted
                           // afterwards.
                           const float outer = backend.elementwise().sum(std::move(grads)).f32()[0];
                           Tape::addGradient(
                               slot, outer == 1.0f ? gradient
                                                   : backend.elementwise().scale(gradient, outer));
                       });
}

bool needsGradient(const Tape& tape, const Variable& predictions)
{
    return tape.recording() && predictions.needsGradient();
}

} // namespace

ClassifierLoss softmaxCrossEntropy(Tape& tape, const Variable& logits, const Tensor& labels,
                                   const SoftmaxCrossEntropyArgs& args)
{
    Tensor gradient;
    const SoftmaxCeResult r = tape.backend().loss().softmaxCrossEntropy(
        logits.value(), labels, args, needsGradient(tape, logits), gradient);
    ClassifierLoss result;
    result.loss =
        scalar(tape, "softmax cross-entropy", logits, args.scale, r.lossSum, std::move(gradient));
    result.sum = r.lossSum;
    result.correct = r.correct;
    result.counted = r.counted;
    return result;
}

ScalarLoss sigmoidCrossEntropy(Tape& tape, const Variable& logits, const Tensor& targets,
                               const Tensor& weights, float scale)
{
    Tensor gradient;
    const double sum = tape.backend().loss().sigmoidCrossEntropy(
        logits.value(), targets, weights, scale, needsGradient(tape, logits), gradient);
    return {scalar(tape, "sigmoid cross-entropy", logits, scale, sum, std::move(gradient)), sum};
}

ScalarLoss focalLoss(Tape& tape, const Variable& logits, const Tensor& labels,
                     const FocalLossArgs& args)
{
    Tensor gradient;
    const double sum = tape.backend().loss().focalLoss(logits.value(), labels, args,
                                                       needsGradient(tape, logits), gradient);
    return {scalar(tape, "focal loss", logits, args.scale, sum, std::move(gradient)), sum};
}

ScalarLoss smoothL1(Tape& tape, const Variable& predictions, const Tensor& targets,
                    const Tensor& weights, const SmoothL1Args& args)
{
    Tensor gradient;
    const double sum = tape.backend().loss().smoothL1(predictions.value(), targets, weights, args,
                                                      needsGradient(tape, predictions), gradient);
    return {scalar(tape, "smooth L1", predictions, args.scale, sum, std::move(gradient)), sum};
}

} // namespace scalebench::autograd
