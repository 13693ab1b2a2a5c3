// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/additive_attention.h"

#include "engine/backend/attention_arguments.h"
#include "kernels/cuda/additive_attention.h"

namespace scalebench::cuda_backend {
namespace {

AdditiveAttentionParams checkedParams(const AdditiveAttentionArgs& a)
{
    for (const Tensor* t : {&a.query, &a.key, &a.value})
        requireActivation("additive attention", *t, 3);
    return additiveAttentionParams(a);
}

template <class T>
T* orNull(const Tensor& t)
{
    return t.defined() ? static_cast<T*>(t.data()) : nullptr;
}

AdditiveAttentionInputs inputs(const AdditiveAttentionArgs& a)
{
    return {a.query.data(),
            a.key.data(),
            a.value.data(),
            orNull<const float>(a.weight),
            orNull<const float>(a.scale),
            orNull<const float>(a.bias),
            orNull<const std::int32_t>(a.lengths)};
}

} // namespace

Tensor additiveAttentionForward(CudaContext& context, const AdditiveAttentionArgs& args,
                                Tensor* probabilities)
{
    const CudaContext::Timer timer(context, "additive attention forward");
    const AdditiveAttentionParams p = checkedParams(args);
    Tensor weights = context.make({p.B, p.Tq, p.Tk}, p.dtype);
    Tensor output = context.make({p.Tq, p.B, p.V}, p.dtype);
    kernels::cuda::additiveAttentionForward(
        p, inputs(args), weights.data(), output.data(),
        context.workspace(kernels::cuda::additiveAttentionForwardScratch(p)),
        context.badIndex("additive attention lengths"), context.device().sharedBytesPerBlock,
        context.stream());
    if (probabilities)
        *probabilities = std::move(weights);
    return output;
}

AdditiveAttentionInputGradients
additiveAttentionBackward(CudaContext& context, const AdditiveAttentionArgs& args,
                          const Tensor& probabilities, const Tensor& gradOutput,
                          const AdditiveAttentionWeightGradients& gradients)
{
    const CudaContext::Timer timer(context, "additive attention backward");
    const AdditiveAttentionParams p = checkedParams(args);
    requireAdditiveGradients(p, probabilities, gradOutput, gradients);
    AdditiveAttentionInputGradients r{context.make(args.query.shape(), p.dtype),
                                      context.make(args.key.shape(), p.dtype),
                                      context.make(args.value.shape(), p.dtype)};
    AdditiveAttentionGradients out;
    out.dq = r.query.data(), out.dk = r.key.data(), out.dvalue = r.value.data();
    out.dv = orNull<float>(gradients.weight);
    out.dscale = orNull<float>(gradients.scale);
    out.dbias = orNull<float>(gradients.bias);
    out.accumulate = gradients.accumulate;
    kernels::cuda::additiveAttentionBackward(
        p, inputs(args), probabilities.data(), gradOutput.data(), out,
        context.workspace(kernels::cuda::additiveAttentionBackwardScratch(p)),
        context.badIndex("additive attention lengths"), context.stream());
    return r;
}

} // namespace scalebench::cuda_backend
