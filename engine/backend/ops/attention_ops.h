// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Attention of a backend.

#include <string>

#include "engine/backend/ops/additive_attention.h"
#include "engine/backend/ops/dot_attention.h"
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

    /// `keep`: for the backward, else logSumExp is undefined.
    virtual DotAttentionResult dotAttentionForward(const DotAttentionArgs& args,
                                                   const TokenColumns& query,
                                                   const TokenColumns& key,
                                                   const TokenColumns& value, bool keep) = 0;
    /// Overwrites the columns of the operands' heads in `gradients`, and no others.
    virtual void dotAttentionBackward(const DotAttentionArgs& args, const TokenColumns& query,
                                      const TokenColumns& key, const TokenColumns& value,
                                      const DotAttentionResult& forward, const Tensor& gradOutput,
                                      const DotAttentionGradients& gradients) = 0;
    /// What computed the last dotAttentionBackward(), for a benchmark; empty where there is no
    /// choice.
    virtual std::string servedBy() const { return {}; }
};

} // namespace scalebench
