// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layer normalisation and softmax on a GPU: the part of the normalisation family that has a file of
// its own. cuDNN's are not used, for the reasons in normalization.cpp.

#include "engine/backend/cuda/cuda_context.h"
#include "engine/backend/ops/layer_norm_ops.h"

namespace scalebench::cuda_backend {

class CudaLayerNorm final : public LayerNormOps
{
public:
    explicit CudaLayerNorm(CudaContext& context) : context_(context) {}

    LayerNormResult layerNormForward(const LayerNormArgs& args, const Tensor& input,
                                     const Tensor& residual, const Tensor& gamma,
                                     const Tensor& beta, bool keep) override;
    Tensor layerNormBackward(const LayerNormArgs& args, const LayerNormResult& forward,
                             const Tensor& gamma, const Tensor& gradOutput, const Tensor& gradSum,
                             const LayerNormGradients& gradients) override;
    Tensor softmaxForward(const Tensor& input) override;
    Tensor softmaxBackward(const Tensor& output, const Tensor& gradOutput) override;

private:
    CudaContext& context_;
};

} // namespace scalebench::cuda_backend
