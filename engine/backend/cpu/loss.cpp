// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include <limits>

#include "engine/backend/loss_arguments.h"
#include "kernels/sigmoid_loss.h"
#include "kernels/smooth_l1.h"
#include "kernels/softmax_ce.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

/// InvalidArgument unless all labels are in [low, classes) or `ignored`.
void requireLabels(const char* op, const Tensor& labels, std::int64_t classes, std::int32_t low,
                   std::int32_t ignored)
{
    for (const std::int32_t label : labels.i32())
        SB_REQUIRE((label < classes && label >= low) || label == ignored,
                   std::string(op) + ": label " + std::to_string(label) + " in a problem with " +
                       std::to_string(classes) + " classes");
}

class CpuLoss final : public LossOps
{
public:
    using LossOps::softmaxCrossEntropy;

    explicit CpuLoss(CpuContext& context) : context_(context) {}

    LossOutput softmaxCrossEntropy(const Tensor& logits, const Tensor& labels,
                                   const SoftmaxCrossEntropyArgs& args, bool needGradient,
                                   Tensor& gradLogits) override
    {
        const char* op = "softmax cross-entropy";
        const CpuContext::Timer timer(context_, op);
        requireActivation(op, logits, 2);
        timer.work(0, double(logits.bytes()) * (needGradient ? 2 : 1));
        const SoftmaxCeParams p = softmaxCeParams(op, logits, labels, args);
        requireLabels(op, labels, p.classes, std::numeric_limits<std::int32_t>::min(),
                      args.ignoreLabel);
        if (needGradient)
            gradLogits = args.inPlace ? logits : context_.make(logits.shape(), logits.dtype());
        return output(args.scale,
                      cpu::softmaxCrossEntropy(p, logits.data(), labels.i32().data(),
                                               needGradient ? gradLogits.data() : nullptr));
    }

    LossOutput sigmoidCrossEntropy(const Tensor& logits, const Tensor& targets,
                                   const Tensor& weights, float scale, bool needGradient,
                                   Tensor& gradLogits) override
    {
        const char* op = "sigmoid cross-entropy";
        const CpuContext::Timer timer(context_, op);
        requireActivation(op, logits, 0);
        const SigmoidCeParams p = sigmoidCeParams(op, logits, targets, weights, scale);
        if (needGradient)
            gradLogits = context_.make(logits.shape(), logits.dtype());
        const double sum =
            cpu::sigmoidCrossEntropy(p, logits.data(), targets.f32().data(),
                                     weights.defined() ? weights.f32().data() : nullptr,
                                     needGradient ? gradLogits.data() : nullptr);
        return output(scale, {sum, 0, 0});
    }

    LossOutput focalLoss(const Tensor& logits, const Tensor& labels, const Tensor& weights,
                         const FocalLossArgs& args, bool needGradient, Tensor& gradLogits) override
    {
        const char* op = "focal loss";
        const CpuContext::Timer timer(context_, op);
        requireActivation(op, logits, 0);
        const FocalLossParams p = focalLossParams(op, logits, labels, weights, args);
        requireLabels(op, labels, p.classes, kFocalIgnored, kFocalIgnored);
        if (needGradient)
            gradLogits = context_.make(logits.shape(), logits.dtype());
        const double sum = cpu::focalLoss(p, logits.data(), labels.i32().data(),
                                          weights.defined() ? weights.f32().data() : nullptr,
                                          needGradient ? gradLogits.data() : nullptr);
        return output(args.scale, {sum, 0, 0});
    }

    LossOutput smoothL1(const Tensor& predictions, const Tensor& targets, const Tensor& weights,
                        const SmoothL1Args& args, bool needGradient,
                        Tensor& gradPredictions) override
    {
        const char* op = "smooth L1";
        const CpuContext::Timer timer(context_, op);
        requireActivation(op, predictions, 0);
        const SmoothL1Params p = smoothL1Params(op, predictions, targets, weights, args);
        if (needGradient)
            gradPredictions = context_.make(predictions.shape(), predictions.dtype());
        const double sum = cpu::smoothL1(p, predictions.data(), targets.f32().data(),
                                         weights.defined() ? weights.f32().data() : nullptr,
                                         needGradient ? gradPredictions.data() : nullptr);
        return output(args.scale, {sum, 0, 0});
    }

private:
    LossOutput output(float scale, const SoftmaxCeResult& sums)
    {
        LossOutput out{context_.make({1}, DType::F32), LossSums(sums)};
        out.value.f32()[0] = float(double(scale) * sums.lossSum);
        return out;
    }

    CpuContext& context_;
};

} // namespace

std::unique_ptr<LossOps> makeLossOps(CpuContext& context)
{
    return std::make_unique<CpuLoss>(context);
}

} // namespace scalebench::cpu_backend
