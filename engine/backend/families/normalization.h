// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batch normalisation: what is checked, made and given back, the same on every device. What a
// device computes, and the way of sums over the workers, is its own: the functions that it
// implements.

#include "engine/backend/families/layer_norm.h"
#include "engine/backend/gradient_terms.h"
#include "kernels/batch_norm.h"

#include <limits>
#include <utility>
#include <vector>

namespace scalebench {

template <class Device>
class NormalizationFamily : public LayerNormFamily<Device>
{
protected:
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;
    using Backward = kernels::cpu::BatchNormBackward;
    using LayerNormFamily<Device>::context_;

    /// The affine form, and what is added behind it; residual may be undefined.
    struct Operands {
        const Tensor& input;
        const Tensor& residual;
        const Tensor& gamma;
        const Tensor& beta;
    };
    struct Running {
        const Tensor& mean;
        const Tensor& var;
    };
    struct ParameterGradients {
        Tensor gamma, beta;
        bool accumulate;
    };

public:
    NormalizationFamily(Context& context, ElementwiseOps& elementwise)
        : LayerNormFamily<Device>(context), elementwise_(elementwise)
    {
    }

    Tensor batchNormForward(const BatchNormArgs& args, const Tensor& input, const Tensor& residual,
                            const Tensor& gamma, const Tensor& beta, Tensor runningMean,
                            Tensor runningVar, const StatReducer& reducer,
                            BatchNormSaved& saved) final
    {
        const Timer timer(context_, "batch norm forward");
        const BatchNormParams p = batchParams(args, input, residual, gamma, beta);
        requireRunning(runningMean, runningVar, p.C);
        timer.work(0, double(input.bytes()) * (residual.defined() ? 3 : 2));
        saved.mean = context_.make({p.C}, DType::F32);
        saved.invStd = context_.make({p.C}, DType::F32);
        Tensor output = context_.make(input.shape(), p.dtype);
        forward(p, args, {input, residual, gamma, beta}, {runningMean, runningVar}, reducer, saved,
                output);
        return output;
    }

    Tensor batchNormInference(const BatchNormArgs& args, const Tensor& input,
                              const Tensor& residual, const Tensor& gamma, const Tensor& beta,
                              const Tensor& runningMean, const Tensor& runningVar) final
    {
        const Timer timer(context_, "batch norm inference");
        const BatchNormParams p = batchParams(args, input, residual, gamma, beta);
        requireRunning(runningMean, runningVar, p.C);
        Tensor output = context_.make(input.shape(), p.dtype);
        frozenForward(p, args, {input, residual, gamma, beta}, {runningMean, runningVar}, output);
        return output;
    }

    BatchNormGradients batchNormBackward(const BatchNormArgs& args, const Tensor& input,
                                         const Tensor& output, bool hasResidual,
                                         std::vector<Tensor> gradOutputs, const Tensor& gamma,
                                         const Tensor& beta, const BatchNormSaved& saved,
                                         const StatReducer& reducer, Tensor gradGamma,
                                         Tensor gradBeta, bool accumulate) final
    {
        const Timer timer(context_, "batch norm backward");
        const BatchNormParams p = batchParams(args, input, Tensor(), gamma, beta);
        requireChannels("batch norm gradient of gamma", gradGamma, p.C);
        requireChannels("batch norm gradient of beta", gradBeta, p.C);
        sumToTwoTerms(gradOutputs, elementwise_);
        for (const Tensor& g : gradOutputs)
            requireSame("batch norm backward", g, input);

        // x, dy and dx; y where the ReLU hides some; a second dy; the residual's gradient.
        timer.work(0, double(input.bytes()) *
                          (3 + (args.relu ? 1 : 0) + (gradOutputs.size() > 1 ? 1 : 0) +
                           (hasResidual ? 1 : 0)));
        Backward b;
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
        backward(p, b, saved.count, reducer,
                 {std::move(gradGamma), std::move(gradBeta), accumulate}, result.input);
        return result;
    }

    BatchNormGradients frozenBatchNormBackward(const BatchNormArgs& args, const Tensor& output,
                                               bool hasResidual, std::vector<Tensor> gradOutputs,
                                               const Tensor& gamma, const Tensor& runningVar) final
    {
        const Timer timer(context_, "frozen batch norm backward");
        sumToTwoTerms(gradOutputs, elementwise_);
        const Tensor& dy = gradOutputs[0];
        const BatchNormParams p = batchParams(args, dy, Tensor(), gamma, gamma);
        requireChannels("batch norm running variance", runningVar, p.C);
        for (const Tensor& g : gradOutputs)
            requireSame("frozen batch norm backward", g, args.relu ? output : dy);
        BatchNormGradients result =
            batchNormGradientsIn(gradOutputs, hasResidual, context_.allocator());
        frozenBackward(p, args, args.relu ? output.data() : nullptr, gradOutputs, gamma, runningVar,
                       result);
        return result;
    }

    BatchNormSaved fixedStatistics(const BatchNormArgs& args, const Tensor& runningMean,
                                   const Tensor& runningVar) final
    {
        const std::int64_t C = runningMean.count();
        requireRunning(runningMean, runningVar, C);
        BatchNormSaved saved;
        saved.mean = runningMean;
        saved.invStd = context_.make({C}, DType::F32);
        invStdOf(runningVar, args.epsilon, saved.invStd);
        saved.count = std::numeric_limits<double>::infinity(); // no row moves them
        return saved;
    }

private:
    /// Fills saved and output. saved.count: rows of all workers.
    virtual void forward(const BatchNormParams& p, const BatchNormArgs& args,
                         const Operands& operands, const Running& running,
                         const StatReducer& reducer, BatchNormSaved& saved, Tensor output) = 0;
    virtual void frozenForward(const BatchNormParams& p, const BatchNormArgs& args,
                               const Operands& operands, const Running& running, Tensor output) = 0;
    /// `count`: as the forward left it.
    virtual void backward(const BatchNormParams& p, const Backward& b, double count,
                          const StatReducer& reducer, const ParameterGradients& gradients,
                          Tensor gradInput) = 0;
    /// `output`: null where nothing was cut off; one or two gradOutputs.
    virtual void frozenBackward(const BatchNormParams& p, const BatchNormArgs& args,
                                const void* output, const std::vector<Tensor>& gradOutputs,
                                const Tensor& gamma, const Tensor& runningVar,
                                const BatchNormGradients& result) = 0;
    virtual void invStdOf(const Tensor& var, double epsilon, Tensor invStd) = 0;

    static BatchNormParams batchParams(const BatchNormArgs& args, const Tensor& input,
                                       const Tensor& residual, const Tensor& gamma,
                                       const Tensor& beta)
    {
        Device::requireActivation("batch norm", input, 0);
        if (residual.defined())
            requireSame("batch norm with residual", input, residual);
        const std::int64_t C = input.shape().back();
        requireChannels("batch norm gamma", gamma, C);
        requireChannels("batch norm beta", beta, C);
        return {rowsOf(input), C, input.dtype(), args.relu};
    }

    static void requireRunning(const Tensor& mean, const Tensor& var, std::int64_t C)
    {
        requireChannels("batch norm running mean", mean, C);
        requireChannels("batch norm running variance", var, C);
    }

    ElementwiseOps& elementwise_;
};

} // namespace scalebench
