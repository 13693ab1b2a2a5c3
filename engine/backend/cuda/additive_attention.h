// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Additive attention on CUDA: its part of the attention family.

#include "engine/backend/cuda/cuda_context.h"
#include "engine/backend/ops/additive_attention.h"

namespace scalebench::cuda_backend {

Tensor additiveAttentionForward(CudaContext& context, const AdditiveAttentionArgs& args,
                                Tensor* probabilities);
AdditiveAttentionInputGradients
additiveAttentionBackward(CudaContext& context, const AdditiveAttentionArgs& args,
                          const Tensor& probabilities, const Tensor& gradOutput,
                          const AdditiveAttentionWeightGradients& gradients);

} // namespace scalebench::cuda_backend
