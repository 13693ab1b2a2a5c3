// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/matmul.h"

#include "engine/backend/cpu/families.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

struct MatmulDevice {
    using Context = CpuContext;
    static constexpr auto requireActivation = cpu_backend::requireActivation;
    using LinearBackward = cpu::LinearBackward;
};

class CpuMatmul final : public MatmulFamily<MatmulDevice>
{
public:
    using MatmulFamily::MatmulFamily;

private:
    void forward(const LinearParams& p, const void* x, const WeightRef& weight, const float* bias,
                 void* kept, const Tensor& output) override
    {
        const cpu::LinearPlan& plan = linearPlan(p);
        plan.forward(x, weight.value.f32().data(), packed(plan, weight), bias, kept, output.data(),
                     context_.workspace(plan.workspaceBytes()));
    }

    void backward(const LinearParams& p, const WeightRef& weight, LinearBackward b) override
    {
        const cpu::LinearPlan& plan = linearPlan(p);
        b.w = weight.value.f32().data();
        b.packed = packed(plan, weight);
        plan.backward(b, context_.workspace(plan.workspaceBytes()));
    }

    void product(const MatmulParams& p, const void* a, const void* b, void* c) override
    {
        const cpu::MatmulPlan& plan = matmulPlans_.get(p, [&] { return cpu::MatmulPlan(p); });
        plan.run(a, b, nullptr, c, context_.workspace(plan.workspaceBytes()));
    }

    const cpu::LinearPlan& linearPlan(const LinearParams& p)
    {
        return linearPlans_.get(p, [&] { return cpu::LinearPlan(p); });
    }

    /// The weight in bf16, once per version for all shapes of input; null in f32.
    const void* packed(const cpu::LinearPlan& plan, const WeightRef& weight)
    {
        if (plan.packedWeightBytes() == 0)
            return nullptr;
        return context_.packedWeight(weight, layout_, plan.packedWeightBytes(),
                                     [&](const float* w, void* out) { plan.pack(w, out); });
    }

    const cpu::WeightLayout layout_ = cpu::newWeightLayout(); ///< of every linear plan
    PlanCache<LinearParams, cpu::LinearPlan> linearPlans_;
    PlanCache<MatmulParams, cpu::MatmulPlan> matmulPlans_;
};

} // namespace

std::unique_ptr<MatmulOps> makeMatmulOps(CpuContext& context)
{
    return std::make_unique<CpuMatmul>(context);
}

} // namespace scalebench::cpu_backend
