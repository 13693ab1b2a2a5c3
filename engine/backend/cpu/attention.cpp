// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/attention.h"

#include <algorithm>

#include "engine/backend/cpu/families.h"
#include "kernels/additive_attention.h"
#include "kernels/attention.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

struct AttentionDevice {
    using Context = CpuContext;
    static constexpr auto requireActivation = cpu_backend::requireActivation;

    static void requireLengths(const AdditiveAttentionParams& p, const Tensor& lengths)
    {
        if (!lengths.defined())
            return;
        for (const std::int32_t length : lengths.i32())
            SB_REQUIRE(length >= 0 && length <= p.Tk, p.describe() + ": length " +
                                                          std::to_string(length) + " of at most " +
                                                          std::to_string(p.Tk) + " keys");
    }
};

struct Longest {
    std::int64_t queries = 0, keys = 0;
    explicit Longest(const std::vector<AttentionSegment>& segments)
    {
        for (const AttentionSegment& s : segments) {
            queries = std::max(queries, s.queryCount);
            keys = std::max(keys, s.keyCount);
        }
    }
};

class CpuAttention final : public AttentionFamily<AttentionDevice>
{
public:
    using AttentionFamily::AttentionFamily;

private:
    void additiveForward(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in,
                         void* probabilities, void* context) override
    {
        const auto& plan = additivePlan(p);
        plan.forward(in, probabilities, context, context_.workspace(plan.workspaceBytes()));
    }

    void additiveBackward(const AdditiveAttentionParams& p, const AdditiveAttentionInputs& in,
                          const void* probabilities, const void* gradContext,
                          const AdditiveAttentionGradients& out) override
    {
        const auto& plan = additivePlan(p);
        plan.backward(in, probabilities, gradContext, out,
                      context_.workspace(plan.workspaceBytes()));
    }

    std::size_t keptBytes(const AttentionParams& p, const AttentionMask& mask,
                          const AttentionForward&) override
    {
        return cpu::attentionKeptBytes(p, *mask);
    }

    bool computesScoresAgain(const AttentionBackward& b) const override { return !b.kept; }

    void dotForward(const AttentionParams& p, const AttentionMask& mask,
                    const AttentionForward& f) override
    {
        const Longest longest(*mask);
        cpu::attentionForward(
            p, *mask, f,
            context_.workspace(cpu::attentionForwardWorkspace(p, longest.queries, longest.keys)));
    }

    void dotBackward(const AttentionParams& p, const AttentionMask& mask,
                     const AttentionBackward& b) override
    {
        const Longest longest(*mask);
        cpu::attentionBackward(
            p, *mask, b,
            context_.workspace(cpu::attentionBackwardWorkspace(p, longest.queries, longest.keys)));
    }

    const cpu::AdditiveAttentionPlan& additivePlan(const AdditiveAttentionParams& p)
    {
        return plans_.get(p, [&] { return cpu::AdditiveAttentionPlan(p); });
    }

    PlanCache<AdditiveAttentionParams, cpu::AdditiveAttentionPlan> plans_;
};

} // namespace

std::unique_ptr<AttentionOps> makeAttentionOps(CpuContext& context)
{
    return std::make_unique<CpuAttention>(context);
}

} // namespace scalebench::cpu_backend
