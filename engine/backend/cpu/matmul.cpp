// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include <map>
#include <tuple>

#include "kernels/linear.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

/// Order for the plan cache.
struct LinearKey {
    LinearParams p;
    bool operator<(const LinearKey& o) const
    {
        auto tie = [](const LinearParams& k) { return std::tuple(k.N, k.in, k.out, k.dtype); };
        return tie(p) < tie(o.p);
    }
};

class CpuMatmul final : public MatmulOps
{
public:
    explicit CpuMatmul(CpuContext& context) : context_(context) {}

    Tensor linearForward(const Tensor& input, const WeightRef& weight, const Tensor& bias) override
    {
        const CpuContext::Timer timer(context_, "linear forward");
        const LinearParams p = linearParams(input, weight.value);
        const auto& plan = linearPlan(p);
        if (bias.defined())
            requireChannels("linear bias", bias, p.out);
        const void* packed =
            context_.packedWeight(weight, &plan, plan.packedWeightBytes(),
                                  [&](const float* w, void* out) { plan.pack(w, out); });
        Tensor output = context_.make({p.N, p.out}, DType::F32);
        plan.forward(input.data(), packed, bias.defined() ? bias.f32().data() : nullptr,
                     output.f32().data(), context_.workspace(plan.workspaceBytes()));
        return output;
    }

    Tensor linearBackward(const Tensor& input, const WeightRef& weight, const Tensor& gradOutput,
                          Tensor gradWeight, Tensor gradBias, bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "linear backward");
        const LinearParams p = linearParams(input, weight.value);
        SB_REQUIRE(gradOutput.dtype() == DType::F32 && gradOutput.shape() == Shape({p.N, p.out}),
                   p.describe() + ": unexpected gradient " + gradOutput.describe());
        const auto& plan = linearPlan(p);
        const void* packed =
            context_.packedWeight(weight, &plan, plan.packedWeightBytes(),
                                  [&](const float* w, void* out) { plan.pack(w, out); });
        Tensor gradInput = context_.make(input.shape(), p.dtype);
        plan.backward(input.data(), packed, gradOutput.f32().data(), gradInput.data(),
                      gradWeight.f32().data(), gradBias.defined() ? gradBias.f32().data() : nullptr,
                      accumulate, context_.workspace(plan.workspaceBytes()));
        return gradInput;
    }

private:
    const cpu::LinearPlan& linearPlan(const LinearParams& p)
    {
        auto it = linearPlans_.find({p});
        if (it == linearPlans_.end())
            it = linearPlans_.emplace(LinearKey{p}, cpu::LinearPlan(p)).first;
        return it->second;
    }

    static LinearParams linearParams(const Tensor& input, const Tensor& weight)
    {
        requireActivation("linear", input, 2);
        SB_REQUIRE(weight.dtype() == DType::F32 && weight.shape().size() == 2 &&
                       weight.dim(1) == input.dim(1),
                   "linear: weight " + weight.describe() + " does not fit input " +
                       input.describe());
        return {input.dim(0), input.dim(1), weight.dim(0), input.dtype()};
    }

    CpuContext& context_;
    std::map<LinearKey, kernels::cpu::LinearPlan> linearPlans_;
};

} // namespace

std::unique_ptr<MatmulOps> makeMatmulOps(CpuContext& context)
{
    return std::make_unique<CpuMatmul>(context);
}

} // namespace scalebench::cpu_backend
