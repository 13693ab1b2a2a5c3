// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include <algorithm>
#include <limits>

#include "kernels/sigmoid_loss.h"
#include "kernels/smooth_l1.h"
#include "kernels/softmax_ce.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

/// InvalidArgument unless F32 with `count` elements.
void requireF32(const char* op, const char* what, const Tensor& t, std::int64_t count,
                const Tensor& predictions)
{
    SB_REQUIRE(t.defined() && t.dtype() == DType::F32 && t.count() == count,
               std::string(op) + ": " + what + " must be f32 with " + std::to_string(count) +
                   " elements, not " + t.describe() + ", for " + predictions.describe());
}

/// InvalidArgument unless I32, one per row, in [low, classes) where `low` is given.
void requireLabels(const char* op, const Tensor& labels, const Tensor& logits, std::int64_t rows,
                   std::int64_t classes, std::int32_t low)
{
    SB_REQUIRE(labels.defined() && labels.dtype() == DType::I32 && labels.count() == rows,
               std::string(op) + ": labels must be i32 [N], not " + labels.describe() +
                   " for logits " + logits.describe());
    const auto list = labels.i32();
    if (list.empty())
        return;
    const auto [least, most] = std::ranges::minmax(list);
    SB_REQUIRE(most < classes && least >= low,
               std::string(op) + ": label " + std::to_string(most < classes ? least : most) +
                   " in a problem with " + std::to_string(classes) + " classes");
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
        const std::int64_t classes = logits.dim(1);
        SB_REQUIRE(classes > 0, std::string(op) + ": no classes in " + logits.describe());
        const std::int32_t none = std::numeric_limits<std::int32_t>::min();
        if (args.ignoreLabel < classes)
            requireLabels(op, labels, logits, logits.dim(0), classes, none);
        else // a label beyond the classes that means nothing
            for (const std::int32_t label : labels.i32())
                SB_REQUIRE(label < classes || label == args.ignoreLabel,
                           std::string(op) + ": label " + std::to_string(label) +
                               " in a problem with " + std::to_string(classes) + " classes");
        SB_REQUIRE(labels.count() == logits.dim(0),
                   std::string(op) + ": " + labels.describe() + " for " + logits.describe());
        SB_REQUIRE(args.labelSmoothing >= 0.0f && args.labelSmoothing < 1.0f,
                   "label smoothing must be in [0,1), not " + std::to_string(args.labelSmoothing));
        if (needGradient)
            gradLogits = args.inPlace ? logits : context_.make(logits.shape(), logits.dtype());
        const SoftmaxCeParams p{logits.dim(0), classes,        args.labelSmoothing,
                                args.scale,    logits.dtype(), args.ignoreLabel};
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
        requireF32(op, "targets", targets, logits.count(), logits);
        if (weights.defined())
            requireF32(op, "weights", weights, logits.count(), logits);
        if (needGradient)
            gradLogits = context_.make(logits.shape(), logits.dtype());
        const double sum = cpu::sigmoidCrossEntropy(
            {logits.count(), scale, logits.dtype()}, logits.data(), targets.f32().data(),
            weights.defined() ? weights.f32().data() : nullptr,
            needGradient ? gradLogits.data() : nullptr);
        return output(scale, {sum, 0, 0});
    }

    LossOutput focalLoss(const Tensor& logits, const Tensor& labels, const FocalLossArgs& args,
                         bool needGradient, Tensor& gradLogits) override
    {
        const char* op = "focal loss";
        const CpuContext::Timer timer(context_, op);
        requireActivation(op, logits, 0);
        const std::int64_t classes = logits.shape().back();
        requireLabels(op, labels, logits, rowsOf(logits), classes, kFocalIgnored);
        SB_REQUIRE(args.gamma >= 0.0f && args.alpha >= 0.0f && args.alpha <= 1.0f,
                   "focal loss: alpha must be in [0,1] and gamma not negative, not " +
                       std::to_string(args.alpha) + " and " + std::to_string(args.gamma));
        if (needGradient)
            gradLogits = context_.make(logits.shape(), logits.dtype());
        const FocalLossParams p{rowsOf(logits), classes,    args.alpha,
                                args.gamma,     args.scale, logits.dtype()};
        const double sum = cpu::focalLoss(p, logits.data(), labels.i32().data(),
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
        const std::int64_t rows = rowsOf(predictions);
        requireF32(op, "targets", targets, predictions.count(), predictions);
        if (weights.defined())
            requireF32(op, "weights", weights, rows, predictions);
        SB_REQUIRE(args.beta >= 0.0f && (!args.huber || args.beta > 0.0f),
                   "smooth L1: beta must not be negative (and not 0 for Huber): " +
                       std::to_string(args.beta));
        if (needGradient)
            gradPredictions = context_.make(predictions.shape(), predictions.dtype());
        const SmoothL1Params p{rows,       predictions.shape().back(), args.beta, args.huber,
                               args.scale, predictions.dtype()};
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
