// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batch normalisation with fixed statistics and fixed gamma and beta (the backbones of Mask R-CNN
// and RetinaNet), residual add and ReLU fused: y = act(x * scale + shift + z). Backward needs only
// y: x need not be kept. Shapes and types as in batch_norm.h. To train gamma and beta on fixed
// statistics, use that header's backward with an infinite count.

#include <cstdint>

#include "kernels/batch_norm.h"

namespace scalebench::kernels::cpu {

/// scale = gamma / sqrt(variance + epsilon), shift = beta - mean * scale; F32 [C], overwritten.
void frozenBatchNormFold(std::int64_t C, double epsilon, const float* gamma, const float* beta,
                         const float* mean, const float* variance, float* scale, float* shift);

/// y overwritten; z may be null. y may be x or z.
void frozenBatchNormForward(const BatchNormParams& p, const void* x, const void* z,
                            const float* scale, const float* shift, void* y);

/// dz = dy + dyMore where y > 0 (everywhere without ReLU), dx = dz * scale; both overwritten.
/// dyMore and dz may be null; y is read only with ReLU. dx may be dy or dyMore, and so may dz, but
/// not both the same.
void frozenBatchNormBackward(const BatchNormParams& p, const void* y, const void* dy,
                             const void* dyMore, const float* scale, void* dx, void* dz);

} // namespace scalebench::kernels::cpu
