// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"
#include "engine/backend/families/layer_norm.h"
#include "engine/backend/gradient_terms.h"
#include "kernels/layer_norm.h"
#include "kernels/softmax.h"

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/batch_norm.h"
#include "kernels/frozen_batch_norm.h"

namespace scalebench::cpu_backend {
namespace {

struct LayerNormDevice {
    using Context = CpuContext;
    static constexpr auto requireActivation = cpu_backend::requireActivation;
    static constexpr auto layerNormForward = kernels::cpu::layerNormForward;
    static constexpr auto layerNormBackward = kernels::cpu::layerNormBackward;
    static constexpr auto layerNormWorkspaceBytes = kernels::cpu::layerNormWorkspaceBytes;
    static constexpr auto softmaxForward = kernels::cpu::softmaxForward;
    static constexpr auto softmaxBackward = kernels::cpu::softmaxBackward;
};

namespace cpu = kernels::cpu;

class CpuNormalization final : public NormalizationOps
{
public:
    CpuNormalization(CpuContext& context, ElementwiseOps& elementwise)
        : context_(context), elementwise_(elementwise), layerNorm_(context)
    {
    }

    LayerNormResult layerNormForward(const LayerNormArgs& args, const Tensor& input,
                                     const Tensor& residual, const Tensor& gamma,
                                     const Tensor& beta, bool keep) override
    {
        return layerNorm_.layerNormForward(args, input, residual, gamma, beta, keep);
    }
    Tensor layerNormBackward(const LayerNormArgs& args, const LayerNormResult& forward,
                             const Tensor& gamma, const Tensor& gradOutput, const Tensor& gradSum,
                             const LayerNormGradients& gradients) override
    {
        return layerNorm_.layerNormBackward(args, forward, gamma, gradOutput, gradSum, gradients);
    }
    Tensor softmaxForward(const Tensor& input) override { return layerNorm_.softmaxForward(input); }
    Tensor softmaxBackward(const Tensor& output, const Tensor& gradOutput) override
    {
        return layerNorm_.softmaxBackward(output, gradOutput);
    }

    Tensor batchNormForward(const BatchNormArgs& args, const Tensor& input, const Tensor& residual,
                            const Tensor& gamma, const Tensor& beta, Tensor runningMean,
                            Tensor runningVar, const StatReducer& reducer,
                            BatchNormSaved& saved) override
    {
        const CpuContext::Timer timer(context_, "batch norm forward");
        const BatchNormParams p = normParams(args, input, residual, gamma, beta);
        requireChannels("batch norm running mean", runningMean, p.C);
        requireChannels("batch norm running variance", runningVar, p.C);
        std::vector<double> sums(std::size_t(2 * p.C));
        cpu::batchNormStatistics(p, input.data(), sums.data(),
                                 context_.workspace(cpu::batchNormWorkspaceBytes(p)));
        timer.work(0, double(input.bytes()) * (residual.defined() ? 3 : 2));
        saved.count = reduceSums(reducer, sums, double(p.rows));
        saved.mean = context_.make({p.C}, DType::F32);
        saved.invStd = context_.make({p.C}, DType::F32);
        Tensor output = context_.make(input.shape(), p.dtype);
        if (saved.count == 0.0)
            return output; // no rows anywhere: nothing to learn statistics from
        cpu::batchNormFinish(p.C, saved.count, args.epsilon, args.momentum, sums.data(),
                             saved.mean.f32().data(), saved.invStd.f32().data(),
                             runningMean.f32().data(), runningVar.f32().data());
        cpu::batchNormApply(p, input.data(), residual.data(), saved.mean.f32().data(),
                            saved.invStd.f32().data(), gamma.f32().data(), beta.f32().data(),
                            output.data());
        return output;
    }

    Tensor batchNormInference(const BatchNormArgs& args, const Tensor& input,
                              const Tensor& residual, const Tensor& gamma, const Tensor& beta,
                              const Tensor& runningMean, const Tensor& runningVar) override
    {
        const CpuContext::Timer timer(context_, "batch norm inference");
        const BatchNormParams p = normParams(args, input, residual, gamma, beta);
        requireChannels("batch norm running mean", runningMean, p.C);
        requireChannels("batch norm running variance", runningVar, p.C);
        std::vector<float> scale(std::size_t(p.C)), shift(std::size_t(p.C));
        cpu::frozenBatchNormFold(p.C, args.epsilon, gamma.f32().data(), beta.f32().data(),
                                 runningMean.f32().data(), runningVar.f32().data(), scale.data(),
                                 shift.data());
        Tensor output = context_.make(input.shape(), p.dtype);
        cpu::frozenBatchNormForward(p, input.data(), residual.data(), scale.data(), shift.data(),
                                    output.data());
        return output;
    }

    BatchNormGradients batchNormBackward(const BatchNormArgs& args, const Tensor& input,
                                         const Tensor& output, bool hasResidual,
                                         std::vector<Tensor> gradOutputs, const Tensor& gamma,
                                         const Tensor& beta, const BatchNormSaved& saved,
                                         const StatReducer& reducer, Tensor gradGamma,
                                         Tensor gradBeta, bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "batch norm backward");
        const BatchNormParams p = normParams(args, input, Tensor(), gamma, beta);
        requireChannels("batch norm gradient of gamma", gradGamma, p.C);
        requireChannels("batch norm gradient of beta", gradBeta, p.C);
        sumToTwoTerms(gradOutputs, elementwise_);
        for (const Tensor& g : gradOutputs)
            requireSame("batch norm backward", g, input);

        // x, dy and dx; y where the ReLU hides some; a second dy; the residual's gradient.
        timer.work(0, double(input.bytes()) *
                          (3 + (args.relu ? 1 : 0) + (gradOutputs.size() > 1 ? 1 : 0) +
                           (hasResidual ? 1 : 0)));
        cpu::BatchNormBackward b;
        b.x = input.data();
        b.y = output.data();
        b.dy = gradOutputs[0].data();
        b.dyMore = gradOutputs.size() > 1 ? gradOutputs[1].data() : nullptr;
        b.mean = saved.mean.f32().data();
        b.invStd = saved.invStd.f32().data();
        b.gamma = gamma.f32().data();
        b.beta = beta.f32().data();
        BatchNormGradients result =
            batchNormGradientsIn(gradOutputs, hasResidual, context_.allocator());
        b.dz = result.residual.data();

        std::vector<double> sums(std::size_t(2 * p.C));
        cpu::batchNormBackwardSums(p, b, sums.data(),
                                   context_.workspace(cpu::batchNormWorkspaceBytes(p)));
        const auto gg = gradGamma.f32(), gb = gradBeta.f32();
        for (std::size_t c = 0; c < std::size_t(p.C); ++c) {
            gb[c] = float(sums[c] + (accumulate ? double(gb[c]) : 0.0));
            gg[c] = float(sums[std::size_t(p.C) + c] + (accumulate ? double(gg[c]) : 0.0));
        }
        if (reducer)
            reducer(sums);
        cpu::batchNormBackwardApply(p, b, sums.data(), saved.count, result.input.data());
        return result;
    }

    BatchNormGradients frozenBatchNormBackward(const BatchNormArgs& args, const Tensor& output,
                                               bool hasResidual, std::vector<Tensor> gradOutputs,
                                               const Tensor& gamma,
                                               const Tensor& runningVar) override
    {
        const CpuContext::Timer timer(context_, "frozen batch norm backward");
        sumToTwoTerms(gradOutputs, elementwise_);
        const Tensor& dy = gradOutputs[0];
        const BatchNormParams p = normParams(args, dy, Tensor(), gamma, gamma);
        requireChannels("batch norm running variance", runningVar, p.C);
        for (const Tensor& g : gradOutputs)
            requireSame("frozen batch norm backward", g, args.relu ? output : dy);
        const std::vector<float> zero(std::size_t(p.C));
        std::vector<float> scale(std::size_t(p.C)), shift(std::size_t(p.C));
        cpu::frozenBatchNormFold(p.C, args.epsilon, gamma.f32().data(), zero.data(), zero.data(),
                                 runningVar.f32().data(), scale.data(), shift.data());
        BatchNormGradients result =
            batchNormGradientsIn(gradOutputs, hasResidual, context_.allocator());
        cpu::frozenBatchNormBackward(p, args.relu ? output.data() : nullptr, dy.data(),
                                     gradOutputs.size() > 1 ? gradOutputs[1].data() : nullptr,
                                     scale.data(), result.input.data(), result.residual.data());
        return result;
    }

    BatchNormSaved fixedStatistics(const BatchNormArgs& args, const Tensor& runningMean,
                                   const Tensor& runningVar) override
    {
        const std::int64_t C = runningMean.count();
        requireChannels("batch norm running mean", runningMean, C);
        requireChannels("batch norm running variance", runningVar, C);
        BatchNormSaved saved;
        saved.mean = runningMean;
        saved.invStd = context_.make({C}, DType::F32);
        for (std::size_t c = 0; c < std::size_t(C); ++c)
            saved.invStd.f32()[c] =
                float(1.0 / std::sqrt(double(runningVar.f32()[c]) + args.epsilon));
        saved.count = std::numeric_limits<double>::infinity(); // no row moves them
        return saved;
    }

private:
    static BatchNormParams normParams(const BatchNormArgs& args, const Tensor& input,
                                      const Tensor& residual, const Tensor& gamma,
                                      const Tensor& beta)
    {
        requireActivation("batch norm", input, 0);
        if (residual.defined())
            requireSame("batch norm with residual", input, residual);
        const std::int64_t C = input.shape().back();
        requireChannels("batch norm gamma", gamma, C);
        requireChannels("batch norm beta", beta, C);
        return {rowsOf(input), C, input.dtype(), args.relu};
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

    CpuContext& context_;
    ElementwiseOps& elementwise_;
    LayerNormFamily<LayerNormDevice> layerNorm_;
};

} // namespace

std::unique_ptr<NormalizationOps> makeNormalizationOps(CpuContext& context,
                                                       ElementwiseOps& elementwise)
{
    return std::make_unique<CpuNormalization>(context, elementwise);
}

} // namespace scalebench::cpu_backend
