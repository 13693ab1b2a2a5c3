// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The additive attention of the CPU backend's attention family.

#include "engine/backend/cpu/cpu_context.h"
#include "kernels/additive_attention.h"

namespace scalebench::cpu_backend {

/// Implements the methods of the same names of AttentionOps.
class AdditiveAttention
{
public:
    explicit AdditiveAttention(CpuContext& context) : context_(context) {}

    Tensor additiveAttentionForward(const AdditiveAttentionArgs& args, Tensor* probabilities);
    AdditiveAttentionInputGradients
    additiveAttentionBackward(const AdditiveAttentionArgs& args, const Tensor& probabilities,
                              const Tensor& gradOutput,
                              const AdditiveAttentionWeightGradients& gradients);

private:
    const kernels::cpu::AdditiveAttentionPlan& plan(const AdditiveAttentionParams& p);

    CpuContext& context_;
    PlanCache<AdditiveAttentionParams, kernels::cpu::AdditiveAttentionPlan> plans_;
};

} // namespace scalebench::cpu_backend
