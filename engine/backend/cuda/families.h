// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The op families of the CUDA backend; each is implemented in the file of its name. The context
// must outlive what is made.

#include <memory>

#include "engine/backend/cuda/cuda_context.h"

namespace scalebench::cuda_backend {

/// A tensor's memory on the device.
template <class T>
T* at(const Tensor& t)
{
    return static_cast<T*>(t.data());
}

std::unique_ptr<AttentionOps> makeAttentionOps(CudaContext& context);
std::unique_ptr<ConvolutionOps> makeConvolutionOps(CudaContext& context,
                                                   ElementwiseOps& elementwise);
std::unique_ptr<DetectionOps> makeDetectionOps(CudaContext& context);
std::unique_ptr<ElementwiseOps> makeElementwiseOps(CudaContext& context);
std::unique_ptr<EmbeddingOps> makeEmbeddingOps(CudaContext& context);
std::unique_ptr<LossOps> makeLossOps(CudaContext& context);
std::unique_ptr<MatmulOps> makeMatmulOps(CudaContext& context);
std::unique_ptr<NormalizationOps> makeNormalizationOps(CudaContext& context,
                                                       ElementwiseOps& elementwise);
std::unique_ptr<OptimizerOps> makeOptimizerOps(CudaContext& context);
std::unique_ptr<PoolingOps> makePoolingOps(CudaContext& context);
std::unique_ptr<RecurrentOps> makeRecurrentOps(CudaContext& context);

} // namespace scalebench::cuda_backend
