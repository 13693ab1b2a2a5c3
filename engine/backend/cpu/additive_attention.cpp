// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/additive_attention.h"

namespace scalebench::cpu_backend {
namespace {

const float* f32OrNull(const Tensor& t)
{
    return t.defined() ? t.f32().data() : nullptr;
}

void requireShape(const std::string& op, const char* what, const Tensor& t, const Shape& shape,
                  DType dtype, bool optional)
{
    if (optional && !t.defined())
        return;
    SB_REQUIRE(t.defined() && t.shape() == shape && t.dtype() == dtype,
               op + ": " + what + " must be " + dtypeName(dtype) + toString(shape) + ", not " +
                   t.describe());
}

AdditiveAttentionParams checkedParams(const AdditiveAttentionArgs& a)
{
    for (const Tensor* t : {&a.query, &a.key, &a.value})
        requireActivation("additive attention", *t, 3);
    AdditiveAttentionParams p;
    p.Tq = a.query.dim(0), p.B = a.query.dim(1), p.A = a.query.dim(2);
    p.Tk = a.key.dim(0), p.V = a.value.dim(2);
    p.normalised = a.scale.defined();
    p.dtype = a.query.dtype();
    const std::string op = p.describe();
    requireShape(op, "the keys", a.key, {p.Tk, p.B, p.A}, p.dtype, false);
    requireShape(op, "the values", a.value, {p.Tk, p.B, p.V}, p.dtype, false);
    requireShape(op, "the weight", a.weight, {p.A}, DType::F32, false);
    requireShape(op, "the scale", a.scale, {1}, DType::F32, true);
    requireShape(op, "the bias", a.bias, {p.A}, DType::F32, true);
    requireShape(op, "lengths", a.lengths, {p.B}, DType::I32, true);
    if (a.lengths.defined())
        for (const std::int32_t length : a.lengths.i32())
            SB_REQUIRE(length >= 0 && length <= p.Tk, op + ": length " + std::to_string(length) +
                                                          " of at most " + std::to_string(p.Tk) +
                                                          " keys");
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
    auto it = plans_.find(p);
    if (it == plans_.end())
        it = plans_.emplace(p, kernels::cpu::AdditiveAttentionPlan(p)).first;
    return it->second;
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
    const std::string op = p.describe() + " backward";
    requireShape(op, "the probabilities", probabilities, {p.B, p.Tq, p.Tk}, p.dtype, false);
    requireShape(op, "the gradient", gradOutput, {p.Tq, p.B, p.V}, p.dtype, false);
    requireShape(op, "the weight's gradient", gradients.weight, {p.A}, DType::F32, true);
    requireShape(op, "the scale's gradient", gradients.scale, {1}, DType::F32, true);
    requireShape(op, "the bias' gradient", gradients.bias, {p.A}, DType::F32, true);
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
