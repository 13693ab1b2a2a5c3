// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses of a backend: value and gradient in one pass.

#include "engine/tensor/tensor.h"
#include "kernels/softmax_ce.h"

namespace scalebench {

class LossOps
{
public:
    virtual ~LossOps() = default;

    /// logits [N,classes] F32, labels [N] I32. Sums; gradLogits (as the logits) is made when
    /// `needGradient`.
    virtual SoftmaxCeResult softmaxCrossEntropy(const Tensor& logits, const Tensor& labels,
                                                float labelSmoothing, float scale,
                                                bool needGradient, Tensor& gradLogits) = 0;
};

} // namespace scalebench
