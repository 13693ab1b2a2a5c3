// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"

#include "engine/backend/loss_arguments.h"
#include "kernels/cuda/sigmoid_loss.h"
#include "kernels/cuda/softmax_ce.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

class CudaLoss final : public LossOps
{
public:
    using LossOps::softmaxCrossEntropy;

    explicit CudaLoss(CudaContext& context) : context_(context) {}

    LossOutput softmaxCrossEntropy(const Tensor& logits, const Tensor& labels,
                                   const SoftmaxCrossEntropyArgs& args, bool needGradient,
                                   Tensor& gradLogits) override
    {
        const char* op = "softmax cross-entropy";
        const CudaContext::Timer timer(context_, op);
        requireActivation(op, logits, 2);
        const SoftmaxCeParams p = softmaxCeParams(op, logits, labels, args);
        void* gradient = nullptr;
        if (needGradient) {
            gradLogits = args.inPlace ? logits : context_.make(logits.shape(), logits.dtype());
            gradient = gradLogits.data();
        }
        return output([&](const cuda::LossTarget& target, void* scratch) {
            cuda::softmaxCrossEntropy(p, logits.data(), labels.i32().data(), gradient, target,
                                      context_.badIndex(op), scratch, context_.stream());
        });
    }

    LossOutput sigmoidCrossEntropy(const Tensor& logits, const Tensor& targets,
                                   const Tensor& weights, float scale, bool needGradient,
                                   Tensor& gradLogits) override
    {
        const char* op = "sigmoid cross-entropy";
        const CudaContext::Timer timer(context_, op);
        requireActivation(op, logits, 0);
        const SigmoidCeParams p = sigmoidCeParams(op, logits, targets, weights, scale);
        void* gradient = gradientOf(logits, needGradient, gradLogits);
        return output([&](const cuda::LossTarget& target, void* scratch) {
            cuda::sigmoidCrossEntropy(p, logits.data(), targets.f32().data(), numbersOf(weights),
                                      gradient, target, scratch, context_.stream());
        });
    }

    LossOutput focalLoss(const Tensor& logits, const Tensor& labels, const Tensor& weights,
                         const FocalLossArgs& args, bool needGradient, Tensor& gradLogits) override
    {
        const char* op = "focal loss";
        const CudaContext::Timer timer(context_, op);
        requireActivation(op, logits, 0);
        const FocalLossParams p = focalLossParams(op, logits, labels, weights, args);
        void* gradient = gradientOf(logits, needGradient, gradLogits);
        return output([&](const cuda::LossTarget& target, void* scratch) {
            cuda::focalLoss(p, logits.data(), labels.i32().data(), numbersOf(weights), gradient,
                            target, context_.badIndex(op), scratch, context_.stream());
        });
    }

    LossOutput smoothL1(const Tensor& predictions, const Tensor& targets, const Tensor& weights,
                        const SmoothL1Args& args, bool needGradient,
                        Tensor& gradPredictions) override
    {
        const char* op = "smooth L1";
        const CudaContext::Timer timer(context_, op);
        requireActivation(op, predictions, 0);
        const SmoothL1Params p = smoothL1Params(op, predictions, targets, weights, args);
        void* gradient = gradientOf(predictions, needGradient, gradPredictions);
        return output([&](const cuda::LossTarget& target, void* scratch) {
            cuda::smoothL1(p, predictions.data(), targets.f32().data(), numbersOf(weights),
                           gradient, target, scratch, context_.stream());
        });
    }

private:
    static const float* numbersOf(const Tensor& weights)
    {
        return weights.defined() ? weights.f32().data() : nullptr;
    }

    void* gradientOf(const Tensor& predictions, bool needed, Tensor& gradient)
    {
        if (!needed)
            return nullptr;
        gradient = context_.make(predictions.shape(), predictions.dtype());
        return gradient.data();
    }

    /// issue(target, scratch) queues the loss. The sums stay on the device and are fetched when
    /// asked for, each time anew: a graph that is replayed writes them again.
    template <class Issue>
    LossOutput output(Issue&& issue)
    {
        const Tensor sums = context_.make({std::int64_t(sizeof(SoftmaxCeResult))}, DType::U8);
        LossOutput out{context_.make({1}, DType::F32), LossSums([this, sums] {
                           SoftmaxCeResult result;
                           context_.download(sums.data(), &result, sizeof result);
                           return result;
                       })};
        issue(cuda::LossTarget{static_cast<SoftmaxCeResult*>(sums.data()), out.value.f32().data()},
              context_.workspace(cuda::kLossScratchBytes));
        return out;
    }

    CudaContext& context_;
};

} // namespace

std::unique_ptr<LossOps> makeLossOps(CudaContext& context)
{
    return std::make_unique<CudaLoss>(context);
}

} // namespace scalebench::cuda_backend
