// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/additive_attention.h"
#include "engine/backend/cuda/dot_attention.h"
#include "engine/backend/cuda/families.h"

namespace scalebench::cuda_backend {
namespace {

class CudaAttention final : public AttentionOps
{
public:
    explicit CudaAttention(CudaContext& context) : context_(context), dot_(context) {}

    Tensor additiveAttentionForward(const AdditiveAttentionArgs& args,
                                    Tensor* probabilities) override
    {
        return cuda_backend::additiveAttentionForward(context_, args, probabilities);
    }
    AdditiveAttentionInputGradients
    additiveAttentionBackward(const AdditiveAttentionArgs& args, const Tensor& probabilities,
                              const Tensor& gradOutput,
                              const AdditiveAttentionWeightGradients& gradients) override
    {
        return cuda_backend::additiveAttentionBackward(context_, args, probabilities, gradOutput,
                                                       gradients);
    }
    DotAttentionResult dotAttentionForward(const DotAttentionArgs& args, const TokenColumns& query,
                                           const TokenColumns& key, const TokenColumns& value,
                                           bool keep) override
    {
        return dot_.forward(args, query, key, value, keep);
    }
    void dotAttentionBackward(const DotAttentionArgs& args, const TokenColumns& query,
                              const TokenColumns& key, const TokenColumns& value,
                              const DotAttentionResult& forward, const Tensor& gradOutput,
                              const DotAttentionGradients& gradients) override
    {
        dot_.backward(args, query, key, value, forward, gradOutput, gradients);
    }

private:
    CudaContext& context_;
    DotAttention dot_;
};

} // namespace

std::unique_ptr<AttentionOps> makeAttentionOps(CudaContext& context)
{
    return std::make_unique<CudaAttention>(context);
}

} // namespace scalebench::cuda_backend
