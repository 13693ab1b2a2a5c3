// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "engine/backend/cpu/families.h"
#include "engine/backend/matmul_arguments.h"
#include "kernels/linear.h"
#include "kernels/matmul.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

double linearFlops(const LinearParams& p)
{
    return 2.0 * double(p.N) * double(p.in) * double(p.out);
}

class CpuMatmul final : public MatmulOps
{
public:
    explicit CpuMatmul(CpuContext& context) : context_(context) {}

    Tensor linearForward(const LinearArgs& args, const Tensor& input, const WeightRef& weight,
                         const Tensor& bias, Tensor* kept) override
    {
        const CpuContext::Timer timer(context_, "linear forward");
        requireActivation("linear", input, 0);
        const LinearParams p = linearParams(args, input, weight.value);
        if (bias.defined())
            requireChannels("linear bias", bias, p.out);
        timer.work(linearFlops(p), 0);
        const auto& plan = linearPlan(p);
        Tensor output = context_.make(withLast(input.shape(), p.out), p.outputType);
        const bool apart = kept && plan.keepsInput();
        if (apart)
            *kept = context_.make(output.shape(), p.outputType);
        plan.forward(input.data(), weight.value.f32().data(), packed(plan, weight),
                     bias.defined() ? bias.f32().data() : nullptr, apart ? kept->data() : nullptr,
                     output.data(), context_.workspace(plan.workspaceBytes()));
        if (kept && !apart && p.activation != Activation::None)
            *kept = output;
        return output;
    }

    Tensor linearBackward(const LinearArgs& args, const Tensor& input, const WeightRef& weight,
                          const Tensor& kept, const Tensor& gradOutput, bool needInput,
                          const LinearGradients& gradients) override
    {
        const CpuContext::Timer timer(context_, "linear backward");
        requireActivation("linear", input, 0);
        const LinearParams p = linearParams(args, input, weight.value);
        SB_REQUIRE(gradOutput.dtype() == p.outputType &&
                       gradOutput.shape() == withLast(input.shape(), p.out),
                   p.describe() + ": unexpected gradient " + gradOutput.describe());
        if (p.activation != Activation::None)
            requireSame("linear backward (kept)", kept, gradOutput);
        timer.work(linearFlops(p) * ((needInput ? 1 : 0) + (gradients.weight.defined() ? 1 : 0)),
                   0);
        const auto& plan = linearPlan(p);
        cpu::LinearBackward b;
        b.x = input.data();
        b.w = weight.value.f32().data();
        b.packed = packed(plan, weight);
        b.kept = kept.data();
        b.dy = gradOutput.data();
        Tensor gradInput;
        if (needInput) {
            gradInput = context_.make(input.shape(), p.dtype);
            b.dx = gradInput.data();
        }
        if (gradients.weight.defined()) {
            requireChannels("linear weight gradient", gradients.weight, p.in * p.out);
            b.dw = gradients.weight.f32().data();
        }
        if (gradients.bias.defined()) {
            requireChannels("linear bias gradient", gradients.bias, p.out);
            b.db = gradients.bias.f32().data();
        }
        b.accumulateWeight = gradients.accumulateWeight;
        b.accumulateBias = gradients.accumulateBias;
        plan.backward(b, context_.workspace(plan.workspaceBytes()));
        return gradInput;
    }

    Tensor matmul(const MatmulArgs& args, const Tensor& a, const Tensor& b) override
    {
        const CpuContext::Timer timer(context_, "matmul");
        requireActivation("matmul", a, 0);
        requireActivation("matmul", b, 0);
        const MatmulParams p = matmulParams(args, a, b);
        timer.work(
            2.0 * double(p.M) * double(p.N) * double(p.K) * double(p.outerBatch * p.innerBatch), 0);
        Tensor c = context_.make(matmulShape(args, a, p.N), p.outputType);
        const cpu::MatmulPlan& plan = matmulPlans_.get(p, [&] { return cpu::MatmulPlan(p); });
        plan.run(a.data(), b.data(), nullptr, c.data(), context_.workspace(plan.workspaceBytes()));
        return c;
    }

private:
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

    CpuContext& context_;
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
