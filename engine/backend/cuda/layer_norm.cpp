// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/layer_norm.h"

#include "kernels/cuda/layer_norm.h"
#include "kernels/cuda/softmax.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

LayerNormParams normParams(const LayerNormArgs& args, const Tensor& input, const Tensor& gamma)
{
    requireActivation("layer norm", input, 0);
    LayerNormParams p;
    p.C = input.shape().back(), p.rows = rowsOf(input);
    p.dtype = input.dtype(), p.epsilon = args.epsilon;
    requireChannels("layer norm gamma", gamma, p.C);
    return p;
}

} // namespace

LayerNormResult CudaLayerNorm::layerNormForward(const LayerNormArgs& args, const Tensor& input,
                                                const Tensor& residual, const Tensor& gamma,
                                                const Tensor& beta, bool keep)
{
    const CudaContext::Timer timer(context_, "layer norm forward");
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
    f.gamma = gamma.f32().data(), f.beta = beta.f32().data(), f.y = r.output.data();
    if (keep) {
        r.mean = context_.make({p.rows}, DType::F32);
        r.invStd = context_.make({p.rows}, DType::F32);
        f.mean = r.mean.f32().data(), f.invStd = r.invStd.f32().data();
    }
    cuda::layerNormForward(p, f, context_.stream());
    return r;
}

Tensor CudaLayerNorm::layerNormBackward(const LayerNormArgs& args, const LayerNormResult& forward,
                                        const Tensor& gamma, const Tensor& gradOutput,
                                        const Tensor& gradSum, const LayerNormGradients& gradients)
{
    const CudaContext::Timer timer(context_, "layer norm backward");
    const LayerNormParams p = normParams(args, forward.sum, gamma);
    SB_REQUIRE(forward.mean.defined(), "layer norm backward: forward did not keep its statistics");
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
    b.ds = gradInput.data();
    b.dgamma = gradients.gamma.f32().data(), b.dbeta = gradients.beta.f32().data();
    b.accumulateGamma = gradients.accumulateGamma, b.accumulateBeta = gradients.accumulateBeta;
    cuda::layerNormBackward(p, b, context_.workspace(cuda::layerNormWorkspaceBytes(p)),
                            context_.stream());
    return gradInput;
}

Tensor CudaLayerNorm::softmaxForward(const Tensor& input)
{
    const CudaContext::Timer timer(context_, "softmax forward");
    requireActivation("softmax", input, 0);
    Tensor output = context_.make(input.shape(), input.dtype());
    cuda::softmaxForward(input.dtype(), rowsOf(input), input.shape().back(), input.data(),
                         output.data(), context_.stream());
    return output;
}

Tensor CudaLayerNorm::softmaxBackward(const Tensor& output, const Tensor& gradOutput)
{
    const CudaContext::Timer timer(context_, "softmax backward");
    requireActivation("softmax backward", output, 0);
    requireSame("softmax backward", output, gradOutput);
    Tensor gradInput = context_.make(output.shape(), output.dtype());
    cuda::softmaxBackward(output.dtype(), rowsOf(output), output.shape().back(), output.data(),
                          gradOutput.data(), gradInput.data(), context_.stream());
    return gradInput;
}

} // namespace scalebench::cuda_backend
