// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/additive_attention.h"
#include "engine/backend/cpu/families.h"

namespace scalebench::cpu_backend {
namespace {

class CpuAttention final : public AttentionOps
{
public:
    explicit CpuAttention(CpuContext& context) : additive_(context) {}

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

private:
    AdditiveAttention additive_;
};

} // namespace

std::unique_ptr<AttentionOps> makeAttentionOps(CpuContext& context)
{
    return std::make_unique<CpuAttention>(context);
}

} // namespace scalebench::cpu_backend
