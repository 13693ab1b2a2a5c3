// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layer normalisation and softmax, the same on every device but for the kernels. Batch
// normalisation: normalization.h.

#include "engine/backend/ops/normalization_ops.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/check.h"
#include "kernels/layer_norm.h"

namespace scalebench {

/// Device: its Context (make, workspace, launch, Timer), requireActivation, and the kernels by
/// name.
template <class Device>
class LayerNormFamily : public NormalizationOps
{
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;

public:
    explicit LayerNormFamily(Context& context) : context_(context) {}

    LayerNormResult layerNormForward(const LayerNormArgs& args, const Tensor& input,
                                     const Tensor& residual, const Tensor& gamma,
                                     const Tensor& beta, bool keep) final
    {
        const Timer timer(context_, "layer norm forward");
        const LayerNormParams p = normParams(args, input, gamma);
        requireChannels("layer norm beta", beta, p.C);
        LayerNormResult r;
        LayerNormForward f;
        f.x = input.data();
        r.sum = input;
        if (residual.defined()) {
            requireSame("layer norm residual", input, residual);
            r.sum = context_.make(input.shape(), p.dtype);
            f.z = residual.data(), f.sum = r.sum.data();
        }
        r.output = context_.make(input.shape(), p.dtype);
        timer.work(0, double(input.bytes()) * (residual.defined() ? 4 : 2));
        f.gamma = gamma.f32().data(), f.beta = beta.f32().data(), f.y = r.output.data();
        if (keep) {
            r.mean = context_.make({p.rows}, DType::F32);
            r.invStd = context_.make({p.rows}, DType::F32);
            f.mean = r.mean.f32().data(), f.invStd = r.invStd.f32().data();
        }
        context_.launch(Device::layerNormForward, p, f);
        return r;
    }

    Tensor layerNormBackward(const LayerNormArgs& args, const LayerNormResult& forward,
                             const Tensor& gamma, const Tensor& gradOutput, const Tensor& gradSum,
                             const LayerNormGradients& gradients) final
    {
        const Timer timer(context_, "layer norm backward");
        const LayerNormParams p = normParams(args, forward.sum, gamma);
        SB_REQUIRE(forward.mean.defined(),
                   "layer norm backward: forward did not keep its statistics");
        requireSame("layer norm backward", forward.sum, gradOutput);
        requireChannels("layer norm gradient of gamma", gradients.gamma, p.C);
        requireChannels("layer norm gradient of beta", gradients.beta, p.C);
        LayerNormBackward b;
        b.s = forward.sum.data(), b.gamma = gamma.f32().data();
        b.mean = forward.mean.f32().data(), b.invStd = forward.invStd.f32().data();
        b.dy = gradOutput.data();
        if (gradSum.defined()) {
            requireSame("layer norm backward", forward.sum, gradSum);
            b.dsMore = gradSum.data();
        }
        Tensor gradInput = context_.make(forward.sum.shape(), p.dtype);
        timer.work(0, double(gradInput.bytes()) * (gradSum.defined() ? 4 : 3));
        b.ds = gradInput.data();
        b.dgamma = gradients.gamma.f32().data(), b.dbeta = gradients.beta.f32().data();
        b.accumulateGamma = gradients.accumulateGamma, b.accumulateBeta = gradients.accumulateBeta;
        context_.launch(Device::layerNormBackward, p, b,
                        context_.workspace(Device::layerNormWorkspaceBytes(p)));
        return gradInput;
    }

    Tensor softmaxForward(const Tensor& input) final
    {
        const Timer timer(context_, "softmax forward");
        Device::requireActivation("softmax", input, 0);
        Tensor output = context_.make(input.shape(), input.dtype());
        context_.launch(Device::softmaxForward, input.dtype(), rowsOf(input), input.shape().back(),
                        input.data(), output.data());
        return output;
    }

    Tensor softmaxBackward(const Tensor& output, const Tensor& gradOutput) final
    {
        const Timer timer(context_, "softmax backward");
        Device::requireActivation("softmax backward", output, 0);
        requireSame("softmax backward", output, gradOutput);
        Tensor gradInput = context_.make(output.shape(), output.dtype());
        context_.launch(Device::softmaxBackward, output.dtype(), rowsOf(output),
                        output.shape().back(), output.data(), gradOutput.data(), gradInput.data());
        return gradInput;
    }

private:
    static LayerNormParams normParams(const LayerNormArgs& args, const Tensor& input,
                                      const Tensor& gamma)
    {
        Device::requireActivation("layer norm", input, 0);
        LayerNormParams p;
        p.C = input.shape().back(), p.rows = rowsOf(input);
        p.dtype = input.dtype(), p.epsilon = args.epsilon;
        requireChannels("layer norm gamma", gamma, p.C);
        return p;
    }

protected:
    Context& context_;
};

} // namespace scalebench
