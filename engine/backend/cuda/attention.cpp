// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/attention.h"

#include "engine/backend/cuda/attention_masks.h"
#include "engine/backend/cuda/families.h"
#include "engine/backend/cuda/fused_attention.h"
#include "kernels/cuda/additive_attention.h"
#include "kernels/cuda/attention.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

/// A length out of range is told later: see CudaContext::badIndex().
struct AttentionDevice {
    using Context = CudaContext;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    static void requireLengths(const AdditiveAttentionParams&, const Tensor&) {}
};

class CudaAttention final : public AttentionFamily<AttentionDevice>
{
public:
    explicit CudaAttention(CudaContext& context)
        : AttentionFamily(context), masks_(context), fused_(context)
    {
    }

    std::string servedBy() const override { return fused_.served(); }

private:
    void additiveForward(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in,
                         void* probabilities, void* context) override
    {
        cuda::additiveAttentionForward(p, in, probabilities, context,
                                       context_.workspace(cuda::additiveAttentionForwardScratch(p)),
                                       context_.badIndex("additive attention lengths"),
                                       context_.device().sharedBytesPerBlock, context_.stream());
    }

    void additiveBackward(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in,
                          const void* probabilities, const void* gradContext,
                          const AdditiveAttentionGradients& out) override
    {
        cuda::additiveAttentionBackward(
            p, in, probabilities, gradContext, out,
            context_.workspace(cuda::additiveAttentionBackwardScratch(p)),
            context_.badIndex("additive attention lengths"), context_.stream());
    }

    std::size_t keptBytes(const AttentionParams& p, const AttentionMask& mask,
                          const AttentionForward& f) override
    {
        return cuda::attentionKeptBytes(p, masks_.onDevice(mask), f, device());
    }

    void dotForward(const AttentionParams& p, const AttentionMask& mask,
                    const AttentionForward& f) override
    {
        const cuda::SegmentList& list = masks_.onDevice(mask);
        const auto own = [&](const AttentionForward& operands) {
            cuda::attentionForward(p, list, operands,
                                   context_.workspace(cuda::attentionForwardWorkspace(p, list)),
                                   device(), context_.stream());
        };
        if (!fused_.forward(p, *mask, list, f, own))
            own(f);
    }

    void dotBackward(const AttentionParams& p, const AttentionMask& mask,
                     const AttentionBackward& b) override
    {
        const cuda::SegmentList& list = masks_.onDevice(mask);
        const auto own = [&](const AttentionBackward& operands) {
            cuda::attentionBackward(p, list, operands,
                                    context_.workspace(cuda::attentionBackwardWorkspace(p, list)),
                                    device(), context_.stream());
        };
        if (!fused_.backward(p, *mask, list, b, own))
            own(b);
    }

    cuda::AttentionDevice device() const
    {
        return {context_.device().major, context_.device().sharedBytesPerBlock};
    }

    AttentionMasks masks_;
    FusedAttention fused_;
};

} // namespace

std::unique_ptr<AttentionOps> makeAttentionOps(CudaContext& context)
{
    return std::make_unique<CudaAttention>(context);
}

} // namespace scalebench::cuda_backend
