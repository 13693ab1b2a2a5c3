// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/convolution_arguments.h"
#include "engine/backend/cpu/families.h"

#include <utility>

#include "kernels/conv2d.h"
#include "kernels/conv_transpose2d.h"
#include "kernels/elementwise.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

double flopsOf(const Conv2dParams& p)
{
    return 2.0 * double(p.N * p.outH() * p.outW()) * double(p.weightCount());
}
double flopsOf(const ConvTranspose2dParams& p)
{
    return 2.0 * double(p.N * p.H * p.W) * double(p.weightCount());
}

/// The plans of one kind of convolution and the three calls through them.
template <class Params, class Plan>
class PlannedConvolution
{
public:
    explicit PlannedConvolution(CpuContext& context) : context_(context) {}

    Tensor forward(const Params& p, const Tensor& input, const WeightRef& weight,
                   const Tensor& bias)
    {
        validate(p);
        requireConvolution(p, input, inputShape(p), weight.value);
        if (p.bias)
            requireChannels("convolution bias", bias, p.K);
        Tensor output = context_.make(outputShape(p), p.dtype);
        if (p.N == 0)
            return output;
        const Plan& plan = planOf(p, false);
        void* scratch = context_.workspace(plan.workspaceBytes());
        const void* packed =
            packedOrMaster(weight, plan.forwardLayout(), plan.forwardWeightBytes(),
                           [&](const float* w, void* out) { plan.packForward(w, out, scratch); });
        plan.forward(input.data(), packed, p.bias ? bias.f32().data() : nullptr, output.data(),
                     scratch);
        return output;
    }

    Tensor backwardData(const Params& p, const Tensor& gradOutput, const WeightRef& weight)
    {
        validate(p);
        requireConvolution(p, gradOutput, outputShape(p), weight.value);
        Tensor gradInput = context_.make(inputShape(p), p.dtype);
        if (p.N == 0)
            return gradInput;
        const Plan& plan = planOf(p, true);
        void* scratch = context_.workspace(plan.workspaceBytes());
        const void* packed =
            packedOrMaster(weight, plan.dataLayout(), plan.dataWeightBytes(),
                           [&](const float* w, void* out) { plan.packData(w, out, scratch); });
        plan.backwardData(gradOutput.data(), packed, gradInput.data(), scratch);
        return gradInput;
    }

    void backwardWeight(const Params& p, const Tensor& input, const Tensor& gradOutput,
                        Tensor gradWeight, bool accumulate)
    {
        validate(p);
        requireConvolution(p, input, inputShape(p), gradWeight);
        requireConvolution(p, gradOutput, outputShape(p), gradWeight);
        const Plan& plan = planOf(p, false);
        plan.backwardWeight(input.data(), gradOutput.data(), gradWeight.f32().data(), accumulate,
                            context_.workspace(plan.workspaceBytes()));
    }

private:
    /// What the plan reads: without packed bytes the master weight itself.
    template <class Pack>
    const void* packedOrMaster(const WeightRef& weight, cpu::WeightLayout layout, std::size_t bytes,
                               Pack&& pack)
    {
        return bytes == 0 ? weight.value.f32().data()
                          : context_.packedWeight(weight, layout, bytes, pack);
    }
    const Plan& planOf(const Params& p, bool data)
    {
        return plans_.get({p, data}, [&] { return make(p, data); });
    }
    static Plan make(const Params& p, bool data)
    {
        if constexpr (requires { Plan(p, data); })
            return Plan(p, data);
        else
            return Plan(p);
    }

    CpuContext& context_;
    PlanCache<std::pair<Params, bool>, Plan> plans_;
};

class CpuConvolution final : public ConvolutionOps
{
public:
    CpuConvolution(CpuContext& context, ElementwiseOps& elementwise)
        : context_(context), elementwise_(elementwise), direct_(context), transposed_(context)
    {
    }

    Tensor conv2dForward(const Conv2dParams& p, const Tensor& input, const WeightRef& weight,
                         const Tensor& bias) override
    {
        const CpuContext::Timer timer(context_, "conv2d forward");
        timer.work(flopsOf(p), 0);
        return direct_.forward(p, input, weight, bias);
    }

    Tensor conv2dBackwardData(const Conv2dParams& p, const Tensor& gradOutput,
                              const WeightRef& weight) override
    {
        const CpuContext::Timer timer(context_, "conv2d data gradient");
        timer.work(flopsOf(p), 0);
        return direct_.backwardData(p, gradOutput, weight);
    }

    void conv2dBackwardWeight(const Conv2dParams& p, const Tensor& input, const Tensor& gradOutput,
                              Tensor gradWeight, bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "conv2d weight gradient");
        timer.work(flopsOf(p), 0);
        direct_.backwardWeight(p, input, gradOutput, std::move(gradWeight), accumulate);
    }

    Tensor convTranspose2dForward(const ConvTranspose2dParams& p, const Tensor& input,
                                  const WeightRef& weight, const Tensor& bias) override
    {
        const CpuContext::Timer timer(context_, "conv transpose2d forward");
        timer.work(flopsOf(p), 0);
        return transposed_.forward(p, input, weight, bias);
    }

    Tensor convTranspose2dBackwardData(const ConvTranspose2dParams& p, const Tensor& gradOutput,
                                       const WeightRef& weight) override
    {
        const CpuContext::Timer timer(context_, "conv transpose2d data gradient");
        timer.work(flopsOf(p), 0);
        return transposed_.backwardData(p, gradOutput, weight);
    }

    void convTranspose2dBackwardWeight(const ConvTranspose2dParams& p, const Tensor& input,
                                       const Tensor& gradOutput, Tensor gradWeight,
                                       bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "conv transpose2d weight gradient");
        timer.work(flopsOf(p), 0);
        transposed_.backwardWeight(p, input, gradOutput, std::move(gradWeight), accumulate);
    }

    Tensor biasReluBackward(const Tensor& output, std::vector<Tensor> gradOutputs, Tensor gradBias,
                            bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "conv2d bias gradient");
        Tensor gradient = elementwise_.sum(std::move(gradOutputs));
        requireActivation("convolution gradient", gradient, 4);
        if (output.defined()) {
            requireSame("convolution gradient", output, gradient);
            Tensor masked =
                gradient.unique() ? gradient : context_.make(gradient.shape(), gradient.dtype());
            cpu::reluBackward(masked.dtype(), masked.count(), output.data(), gradient.data(),
                              masked.data());
            gradient = std::move(masked);
        }
        if (gradBias.defined()) {
            const std::int64_t K = gradient.shape().back();
            requireChannels("convolution bias gradient", gradBias, K);
            cpu::columnSums(gradient.dtype(), rowsOf(gradient), K, gradient.data(),
                            gradBias.f32().data(), accumulate);
        }
        return gradient;
    }

private:
    CpuContext& context_;
    ElementwiseOps& elementwise_;
    PlannedConvolution<Conv2dParams, cpu::Conv2dPlan> direct_;
    PlannedConvolution<ConvTranspose2dParams, cpu::ConvTranspose2dPlan> transposed_;
};

} // namespace

std::unique_ptr<ConvolutionOps> makeConvolutionOps(CpuContext& context, ElementwiseOps& elementwise)
{
    return std::make_unique<CpuConvolution>(context, elementwise);
}

} // namespace scalebench::cpu_backend
