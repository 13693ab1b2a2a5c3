// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include <map>
#include <tuple>

#include "kernels/conv2d.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

/// Order for the plan cache.
struct ConvKey {
    Conv2dParams p;
    bool data;
    bool operator<(const ConvKey& o) const
    {
        auto tie = [](const ConvKey& k) {
            return std::tuple(k.p.N, k.p.H, k.p.W, k.p.C, k.p.K, k.p.R, k.p.S, k.p.stride,
                              k.p.padding, k.p.dtype, k.data);
        };
        return tie(*this) < tie(o);
    }
};

class CpuConvolution final : public ConvolutionOps
{
public:
    explicit CpuConvolution(CpuContext& context) : context_(context) {}

    Tensor conv2dForward(const Conv2dParams& p, const Tensor& input,
                         const WeightRef& weight) override
    {
        const CpuContext::Timer timer(context_, "conv2d forward");
        checkConv(p, input, {p.N, p.H, p.W, p.C}, weight.value);
        const auto& plan = convPlan(p, false);
        void* scratch = context_.workspace(plan.workspaceBytes());
        const void* packed = context_.packedWeight(
            weight, &plan, plan.forwardWeightBytes(),
            [&](const float* w, void* out) { plan.packForward(w, out, scratch); });
        Tensor output = context_.make({p.N, p.outH(), p.outW(), p.K}, p.dtype);
        plan.forward(input.data(), packed, nullptr, output.data(), scratch);
        return output;
    }

    Tensor conv2dBackwardData(const Conv2dParams& p, const Tensor& gradOutput,
                              const WeightRef& weight) override
    {
        const CpuContext::Timer timer(context_, "conv2d data gradient");
        checkConv(p, gradOutput, {p.N, p.outH(), p.outW(), p.K}, weight.value);
        const auto& plan = convPlan(p, true);
        void* scratch = context_.workspace(plan.workspaceBytes());
        const void* packed = context_.packedWeight(
            weight, &plan, plan.dataWeightBytes(),
            [&](const float* w, void* out) { plan.packData(w, out, scratch); });
        Tensor gradInput = context_.make({p.N, p.H, p.W, p.C}, p.dtype);
        plan.backwardData(gradOutput.data(), packed, gradInput.data(), scratch);
        return gradInput;
    }

    void conv2dBackwardWeight(const Conv2dParams& p, const Tensor& input, const Tensor& gradOutput,
                              Tensor gradWeight, bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "conv2d weight gradient");
        checkConv(p, input, {p.N, p.H, p.W, p.C}, gradWeight);
        checkConv(p, gradOutput, {p.N, p.outH(), p.outW(), p.K}, gradWeight);
        const auto& plan = convPlan(p, false);
        plan.backwardWeight(input.data(), gradOutput.data(), gradWeight.f32().data(), accumulate,
                            context_.workspace(plan.workspaceBytes()));
    }

private:
    const cpu::Conv2dPlan& convPlan(const Conv2dParams& p, bool data)
    {
        auto it = convPlans_.find({p, data});
        if (it == convPlans_.end())
            it = convPlans_.emplace(ConvKey{p, data}, cpu::Conv2dPlan(p, data)).first;
        return it->second;
    }

    static void checkConv(const Conv2dParams& p, const Tensor& t, const Shape& shape,
                          const Tensor& weight)
    {
        SB_REQUIRE(t.dtype() == p.dtype && t.shape() == shape,
                   p.describe() + ": got " + t.describe() + " where " + dtypeName(p.dtype) +
                       toString(shape) + " belongs");
        SB_REQUIRE(weight.dtype() == DType::F32 && weight.shape() == Shape({p.K, p.C, p.R, p.S}),
                   p.describe() + ": weight is " + weight.describe());
    }

    CpuContext& context_;
    std::map<ConvKey, kernels::cpu::Conv2dPlan> convPlans_;
};

} // namespace

std::unique_ptr<ConvolutionOps> makeConvolutionOps(CpuContext& context)
{
    return std::make_unique<CpuConvolution>(context);
}

} // namespace scalebench::cpu_backend
