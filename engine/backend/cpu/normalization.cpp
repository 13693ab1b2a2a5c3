// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/normalization.h"

#include <cmath>
#include <vector>

#include "engine/backend/cpu/families.h"
#include "kernels/batch_norm.h"
#include "kernels/frozen_batch_norm.h"
#include "kernels/layer_norm.h"
#include "kernels/softmax.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

struct NormalizationDevice {
    using Context = CpuContext;
    static constexpr auto requireActivation = cpu_backend::requireActivation;
    static constexpr auto layerNormForward = cpu::layerNormForward;
    static constexpr auto layerNormBackward = cpu::layerNormBackward;
    static constexpr auto layerNormWorkspaceBytes = cpu::layerNormWorkspaceBytes;
    static constexpr auto softmaxForward = cpu::softmaxForward;
    static constexpr auto softmaxBackward = cpu::softmaxBackward;
};

class CpuNormalization final : public NormalizationFamily<NormalizationDevice>
{
public:
    using NormalizationFamily::NormalizationFamily;

private:
    void forward(const BatchNormParams& p, const BatchNormArgs& args, const Operands& o,
                 const Running& running, const StatReducer& reducer, BatchNormSaved& saved,
                 Tensor output) override
    {
        std::vector<double> sums(std::size_t(2 * p.C));
        cpu::batchNormStatistics(p, o.input.data(), sums.data(),
                                 context_.workspace(cpu::batchNormWorkspaceBytes(p)));
        saved.count = reduceSums(reducer, sums, double(p.rows));
        if (saved.count == 0.0)
            return; // no rows anywhere: nothing to learn statistics from
        cpu::batchNormFinish(p.C, saved.count, args.epsilon, args.momentum, sums.data(),
                             saved.mean.f32().data(), saved.invStd.f32().data(),
                             running.mean.f32().data(), running.var.f32().data());
        cpu::batchNormApply(p, o.input.data(), o.residual.data(), saved.mean.f32().data(),
                            saved.invStd.f32().data(), o.gamma.f32().data(), o.beta.f32().data(),
                            output.data());
    }

    void frozenForward(const BatchNormParams& p, const BatchNormArgs& args, const Operands& o,
                       const Running& running, Tensor output) override
    {
        std::vector<float> scale(std::size_t(p.C)), shift(std::size_t(p.C));
        cpu::frozenBatchNormFold(p.C, args.epsilon, o.gamma.f32().data(), o.beta.f32().data(),
                                 running.mean.f32().data(), running.var.f32().data(), scale.data(),
                                 shift.data());
        cpu::frozenBatchNormForward(p, o.input.data(), o.residual.data(), scale.data(),
                                    shift.data(), output.data());
    }

    void backward(const BatchNormParams& p, const Backward& b, double count,
                  const StatReducer& reducer, const ParameterGradients& gradients,
                  Tensor gradInput) override
    {
        std::vector<double> sums(std::size_t(2 * p.C));
        cpu::batchNormBackwardSums(p, b, sums.data(),
                                   context_.workspace(cpu::batchNormWorkspaceBytes(p)));
        const auto gg = gradients.gamma.f32(), gb = gradients.beta.f32();
        const bool accumulate = gradients.accumulate;
        for (std::size_t c = 0; c < std::size_t(p.C); ++c) {
            gb[c] = float(sums[c] + (accumulate ? double(gb[c]) : 0.0));
            gg[c] = float(sums[std::size_t(p.C) + c] + (accumulate ? double(gg[c]) : 0.0));
        }
        if (reducer)
            reducer(sums);
        cpu::batchNormBackwardApply(p, b, sums.data(), count, gradInput.data());
    }

    void frozenBackward(const BatchNormParams& p, const BatchNormArgs& args, const void* output,
                        const std::vector<Tensor>& gradOutputs, const Tensor& gamma,
                        const Tensor& runningVar, const BatchNormGradients& result) override
    {
        const std::vector<float> zero(std::size_t(p.C));
        std::vector<float> scale(std::size_t(p.C)), shift(std::size_t(p.C));
        cpu::frozenBatchNormFold(p.C, args.epsilon, gamma.f32().data(), zero.data(), zero.data(),
                                 runningVar.f32().data(), scale.data(), shift.data());
        cpu::frozenBatchNormBackward(p, output, gradOutputs[0].data(),
                                     gradOutputs.size() > 1 ? gradOutputs[1].data() : nullptr,
                                     scale.data(), result.input.data(), result.residual.data());
    }

    void invStdOf(const Tensor& var, double epsilon, Tensor invStd) override
    {
        for (std::size_t c = 0; c < std::size_t(var.count()); ++c)
            invStd.f32()[c] = float(1.0 / std::sqrt(double(var.f32()[c]) + epsilon));
    }

    static double reduceSums(const StatReducer& reducer, std::vector<double>& sums, double rows)
    {
        if (!reducer)
            return rows;
        sums.push_back(rows);
        reducer(sums);
        const double count = sums.back();
        sums.pop_back();
        return count;
    }
};

} // namespace

std::unique_ptr<NormalizationOps> makeNormalizationOps(CpuContext& context,
                                                       ElementwiseOps& elementwise)
{
    return std::make_unique<CpuNormalization>(context, elementwise);
}

} // namespace scalebench::cpu_backend
