// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/additive_attention.h"
#include "engine/backend/cpu/dot_attention.h"
#include "engine/backend/cpu/families.h"

namespace scalebench::cpu_backend {
namespace {

class CpuAttention final : public AttentionOps
{
public:
    explicit CpuAttention(CpuContext& context) : context_(context), additive_(context) {}

    Tensor additiveAttentionForward(const AdditiveAttentionArgs& args,
                                    Tensor* probabilities) override
    {
        return additive_.additiveAttentionForward(args, probabilities);
    }
    AdditiveAttentionInputGradients
    additiveAttentionBackward(const AdditiveAttentionArgs& args, const Tensor& probabilities,
                              const Tensor& gradOutput,
                              const AdditiveAttentionWeightGradients& gradients) override
    {
        return additive_.additiveAttentionBackward(args, probabilities, gradOutput, gradients);
    }
    DotAttentionResult dotAttentionForward(const DotAttentionArgs& args, const TokenColumns& query,
                                           const TokenColumns& key, const TokenColumns& value,
                                           bool keep) override
    {
        return cpu_backend::dotAttentionForward(context_, args, query, key, value, keep);
    }
    void dotAttentionBackward(const DotAttentionArgs& args, const TokenColumns& query,
                              const TokenColumns& key, const TokenColumns& value,
                              const DotAttentionResult& forward, const Tensor& gradOutput,
                              const DotAttentionGradients& gradients) override
    {
        cpu_backend::dotAttentionBackward(context_, args, query, key, value, forward, gradOutput,
                                          gradients);
    }

private:
    CpuContext& context_;
    AdditiveAttention additive_;
};

} // namespace

std::unique_ptr<AttentionOps> makeAttentionOps(CpuContext& context)
{
    return std::make_unique<CpuAttention>(context);
}

} // namespace scalebench::cpu_backend
