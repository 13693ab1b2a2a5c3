// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses: what is checked, made and given back, the same on every device.

#include "engine/backend/loss_arguments.h"

#include <limits>

namespace scalebench {

/// Device: its Context (make, Timer), requireActivation, the kernels by name, and
///   requireLabels(op, labels, classes, low, ignored)   where their values are known here
///   run(context, op, scale, kernel, arguments...)      gives the LossOutput of a kernel
template <class Device>
class LossFamily final : public LossOps
{
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;

public:
    using LossOps::softmaxCrossEntropy;

    explicit LossFamily(Context& context) : context_(context) {}

    LossOutput softmaxCrossEntropy(const Tensor& logits, const Tensor& labels,
                                   const SoftmaxCrossEntropyArgs& args, bool needGradient,
                                   Tensor& gradLogits) override
    {
        const char* op = "softmax cross-entropy";
        const Timer timer(context_, op);
        Device::requireActivation(op, logits, 2);
        timer.work(0, double(logits.bytes()) * (needGradient ? 2 : 1));
        const SoftmaxCeParams p = softmaxCeParams(op, logits, labels, args);
        Device::requireLabels(op, labels, p.classes, std::numeric_limits<std::int32_t>::min(),
                              args.ignoreLabel);
        void* gradient = gradientOf(logits, needGradient, gradLogits, args.inPlace);
        return Device::run(context_, op, args.scale, Device::softmaxCrossEntropy, p, logits.data(),
                           labels.i32().data(), gradient);
    }

    LossOutput sigmoidCrossEntropy(const Tensor& logits, const Tensor& targets,
                                   const Tensor& weights, float scale, bool needGradient,
                                   Tensor& gradLogits) override
    {
        const char* op = "sigmoid cross-entropy";
        const Timer timer(context_, op);
        Device::requireActivation(op, logits, 0);
        const SigmoidCeParams p = sigmoidCeParams(op, logits, targets, weights, scale);
        void* gradient = gradientOf(logits, needGradient, gradLogits);
        return Device::run(context_, op, scale, Device::sigmoidCrossEntropy, p, logits.data(),
                           targets.f32().data(), numbersOf(weights), gradient);
    }

    LossOutput focalLoss(const Tensor& logits, const Tensor& labels, const Tensor& weights,
                         const FocalLossArgs& args, bool needGradient, Tensor& gradLogits) override
    {
        const char* op = "focal loss";
        const Timer timer(context_, op);
        Device::requireActivation(op, logits, 0);
        const FocalLossParams p = focalLossParams(op, logits, labels, weights, args);
        Device::requireLabels(op, labels, p.classes, kFocalIgnored, kFocalIgnored);
        void* gradient = gradientOf(logits, needGradient, gradLogits);
        return Device::run(context_, op, args.scale, Device::focalLoss, p, logits.data(),
                           labels.i32().data(), numbersOf(weights), gradient);
    }

    LossOutput smoothL1(const Tensor& predictions, const Tensor& targets, const Tensor& weights,
                        const SmoothL1Args& args, bool needGradient,
                        Tensor& gradPredictions) override
    {
        const char* op = "smooth L1";
        const Timer timer(context_, op);
        Device::requireActivation(op, predictions, 0);
        const SmoothL1Params p = smoothL1Params(op, predictions, targets, weights, args);
        void* gradient = gradientOf(predictions, needGradient, gradPredictions);
        return Device::run(context_, op, args.scale, Device::smoothL1, p, predictions.data(),
                           targets.f32().data(), numbersOf(weights), gradient);
    }

    LossOutput multiboxLoss(const Tensor& logits, const Tensor& deltas, const Tensor& labels,
                            const Tensor& targets, const MultiboxLossArgs& args, bool needGradients,
                            Tensor& gradLogits, Tensor& gradDeltas) override
    {
        const char* op = "multibox loss";
        const Timer timer(context_, op);
        Device::requireActivation(op, logits, 3);
        Device::requireActivation(op, deltas, 3);
        timer.work(0, double(logits.bytes()) * (needGradients ? 2 : 1));
        const MultiboxLossParams p = multiboxLossParams(op, logits, deltas, labels, targets, args);
        Device::requireLabels(op, labels, p.classes, 0, 0);
        void* toLogits = gradientOf(logits, needGradients, gradLogits);
        void* toDeltas = gradientOf(deltas, needGradients, gradDeltas);
        return Device::run(context_, op, args.scale, Device::multiboxLoss, p, logits.data(),
                           deltas.data(), labels.i32().data(), targets.f32().data(), toLogits,
                           toDeltas);
    }

private:
    static const float* numbersOf(const Tensor& weights)
    {
        return weights.defined() ? weights.f32().data() : nullptr;
    }

    void* gradientOf(const Tensor& predictions, bool needed, Tensor& gradient, bool inPlace = false)
    {
        if (!needed)
            return nullptr;
        gradient = inPlace ? predictions : context_.make(predictions.shape(), predictions.dtype());
        return gradient.data();
    }

    Context& context_;
};

} // namespace scalebench
