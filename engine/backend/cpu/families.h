// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The op families of the CPU backend; each is implemented in the file of its name. The context must
// outlive what is made.

#include <memory>

#include "engine/backend/cpu/cpu_context.h"

namespace scalebench::cpu_backend {

std::unique_ptr<AttentionOps> makeAttentionOps(CpuContext& context);
std::unique_ptr<ConvolutionOps> makeConvolutionOps(CpuContext& context,
                                                   ElementwiseOps& elementwise);
std::unique_ptr<DetectionOps> makeDetectionOps(CpuContext& context);
std::unique_ptr<ElementwiseOps> makeElementwiseOps(CpuContext& context);
std::unique_ptr<EmbeddingOps> makeEmbeddingOps(CpuContext& context);
std::unique_ptr<LossOps> makeLossOps(CpuContext& context);
std::unique_ptr<MatmulOps> makeMatmulOps(CpuContext& context);
std::unique_ptr<NormalizationOps> makeNormalizationOps(CpuContext& context,
                                                       ElementwiseOps& elementwise);
std::unique_ptr<OptimizerOps> makeOptimizerOps(CpuContext& context);
std::unique_ptr<PoolingOps> makePoolingOps(CpuContext& context);
std::unique_ptr<RecurrentOps> makeRecurrentOps(CpuContext& context);

} // namespace scalebench::cpu_backend
