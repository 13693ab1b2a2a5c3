// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/additive_attention.h"

#include "engine/backend/attention_arguments.h"

namespace scalebench::cpu_backend {
namespace {

const float* f32OrNull(const Tensor& t)
{
    return t.defined() ? t.f32().data() : nullptr;
}

AdditiveAttentionParams checkedParams(const AdditiveAttentionArgs& a)
{
    for (const Tensor* t : {&a.query, &a.key, &a.value})
        requireActivation("additive attention", *t, 3);
    const AdditiveAttentionParams p = additiveAttentionParams(a);
    if (a.lengths.defined())
        for (const std::int32_t length : a.lengths.i32())
            SB_REQUIRE(length >= 0 && length <= p.Tk, p.describe() + ": length " +
                                                          std::to_string(length) + " of at most " +
                                                          std::to_string(p.Tk) + " keys");
    return p;
}

AdditiveAttentionInputs inputs(const AdditiveAttentionArgs& a)
{
    return {a.query.data(),
            a.key.data(),
            a.value.data(),
            a.weight.f32().data(),
            f32OrNull(a.scale),
            f32OrNull(a.bias),
            a.lengths.defined() ? a.lengths.i32().data() : nullptr};
}

} // namespace

const kernels::cpu::AdditiveAttentionPlan& AdditiveAttention::plan(const AdditiveAttentionParams& p)
{
    return plans_.get(p, [&] { return kernels::cpu::AdditiveAttentionPlan(p); });
}

Tensor AdditiveAttention::additiveAttentionForward(const AdditiveAttentionArgs& args,
                                                   Tensor* probabilities)
{
    const CpuContext::Timer timer(context_, "additive attention forward");
    const AdditiveAttentionParams p = checkedParams(args);
    const auto& kernel = plan(p);
    Tensor weights = context_.make({p.B, p.Tq, p.Tk}, p.dtype);
    Tensor context = context_.make({p.Tq, p.B, p.V}, p.dtype);
    kernel.forward(inputs(args), weights.data(), context.data(),
                   context_.workspace(kernel.workspaceBytes()));
    if (probabilities)
        *probabilities = std::move(weights);
    return context;
}

AdditiveAttentionInputGradients
AdditiveAttention::additiveAttentionBackward(const AdditiveAttentionArgs& args,
                                             const Tensor& probabilities, const Tensor& gradOutput,
                                             const AdditiveAttentionWeightGradients& gradients)
{
    const CpuContext::Timer timer(context_, "additive attention backward");
    const AdditiveAttentionParams p = checkedParams(args);
    requireAdditiveGradients(p, probabilities, gradOutput, gradients);
    const auto& kernel = plan(p);
    AdditiveAttentionInputGradients r{context_.make(args.query.shape(), p.dtype),
                                      context_.make(args.key.shape(), p.dtype),
                                      context_.make(args.value.shape(), p.dtype)};
    AdditiveAttentionGradients out;
    out.dq = r.query.data(), out.dk = r.key.data(), out.dvalue = r.value.data();
    out.dv = gradients.weight.defined() ? gradients.weight.f32().data() : nullptr;
    out.dscale = gradients.scale.defined() ? gradients.scale.f32().data() : nullptr;
    out.dbias = gradients.bias.defined() ? gradients.bias.f32().data() : nullptr;
    out.accumulate = gradients.accumulate;
    kernel.backward(inputs(args), probabilities.data(), gradOutput.data(), out,
                    context_.workspace(kernel.workspaceBytes()));
    return r;
}

} // namespace scalebench::cpu_backend
