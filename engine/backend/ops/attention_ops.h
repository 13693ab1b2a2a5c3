// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention of a backend.

#include "engine/backend/ops/additive_attention.h"
#include "engine/tensor/tensor.h"

namespace scalebench {

class AttentionOps
{
public:
    virtual ~AttentionOps() = default;

    /// Returns the context [Tq,B,V]. `probabilities` (may be null) gets what backward needs:
    /// [B,Tq,Tk] in the type of the query.
    virtual Tensor additiveAttentionForward(const AdditiveAttentionArgs& args,
                                            Tensor* probabilities) = 0;
    virtual AdditiveAttentionInputGradients
    additiveAttentionBackward(const AdditiveAttentionArgs& args, const Tensor& probabilities,
                              const Tensor& gradOutput,
                              const AdditiveAttentionWeightGradients& gradients) = 0;
};

} // namespace scalebench
