// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses of a backend: value and gradient in one pass. The value is scale times the plain sum of
// the terms; the gradient, made when `needGradient` in the type of the predictions, is the value's.

#include "engine/backend/ops/loss_sums.h"
#include "engine/tensor/tensor.h"
#include "kernels/multibox_loss.h"
#include "kernels/sigmoid_loss.h"
#include "kernels/softmax_ce.h"

namespace scalebench {

struct SoftmaxCrossEntropyArgs {
    float labelSmoothing = 0.0f; ///< in [0,1)
    float scale = 1.0f;
    std::int32_t ignoreLabel = -1; ///< leaves its row out, as every negative label does
    bool inPlace = false;          ///< the gradient overwrites the logits: no second [N,classes]
};

struct FocalLossArgs {
    float alpha = 0.25f, gamma = 2.0f, scale = 1.0f;
};

struct SmoothL1Args {
    float beta = 1.0f;  ///< border of the quadratic part; 0: L1
    bool huber = false; ///< times beta
    float scale = 1.0f;
};

struct MultiboxLossArgs {
    int negativesPerPositive = 3;
    float scale = 1.0f; ///< of the sum over the pictures
};

class LossOps
{
public:
    virtual ~LossOps() = default;

    /// logits [N,classes] F32 or BF16, labels [N] I32.
    virtual LossOutput softmaxCrossEntropy(const Tensor& logits, const Tensor& labels,
                                           const SoftmaxCrossEntropyArgs& args, bool needGradient,
                                           Tensor& gradLogits) = 0;
    /// The same with the arguments that classification uses.
    LossOutput softmaxCrossEntropy(const Tensor& logits, const Tensor& labels, float labelSmoothing,
                                   float scale, bool needGradient, Tensor& gradLogits)
    {
        return softmaxCrossEntropy(logits, labels, {labelSmoothing, scale, -1, false}, needGradient,
                                   gradLogits);
    }

    /// Binary cross-entropy of sigmoid(logits). targets F32 as the logits, in [0,1]; weights F32 as
    /// the logits, or undefined.
    virtual LossOutput sigmoidCrossEntropy(const Tensor& logits, const Tensor& targets,
                                           const Tensor& weights, float scale, bool needGradient,
                                           Tensor& gradLogits) = 0;
    /// logits [..., classes]; labels I32, one per row: a class, kFocalBackground or kFocalIgnored;
    /// weights F32, one per row, or undefined.
    virtual LossOutput focalLoss(const Tensor& logits, const Tensor& labels, const Tensor& weights,
                                 const FocalLossArgs& args, bool needGradient,
                                 Tensor& gradLogits) = 0;
    /// predictions [..., width]; targets F32 as the predictions; weights F32, one per row, or
    /// undefined.
    virtual LossOutput smoothL1(const Tensor& predictions, const Tensor& targets,
                                const Tensor& weights, const SmoothL1Args& args, bool needGradient,
                                Tensor& gradPredictions) = 0;
    /// SSD's loss, see kernels/multibox_loss.h. logits [N,A,classes] and deltas [N,A,4] of one
    /// type; labels I32 [N,A], 0: background; targets F32 [N,A,4]. Gradients of both or of none.
    virtual LossOutput multiboxLoss(const Tensor& logits, const Tensor& deltas,
                                    const Tensor& labels, const Tensor& targets,
                                    const MultiboxLossArgs& args, bool needGradients,
                                    Tensor& gradLogits, Tensor& gradDeltas) = 0;
};

} // namespace scalebench
