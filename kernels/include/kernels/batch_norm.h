// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batch normalisation over rows (Ioffe and Szegedy 2015, arXiv 1502.03167), with residual add and
// ReLU fused: y = act(gamma * (x - mean) * invStd + beta + z). x, y, z [rows,C] (NHWC with N*H*W
// rows) in `dtype`; everything per channel is F32 [C], sums are double. Forward is two calls
// (statistics, apply) and so is backward, so that the sums may be reduced over workers in between.

#include <cstddef>
#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct BatchNormParams {
    std::int64_t rows = 1, C = 1;
    DType dtype = DType::F32;
    bool relu = false;
};

namespace kernels::cpu {

/// Scratch for the two calls that sum, 64-byte aligned.
std::size_t batchNormWorkspaceBytes(const BatchNormParams& p);

/// sums[0..C) = sum of x, sums[C..2C) = sum of x squared; overwritten.
void batchNormStatistics(const BatchNormParams& p, const void* x, double* sums, void* workspace);

/// From the sums over `count` rows (of all workers when reduced): mean and invStd = 1 /
/// sqrt(variance + epsilon), overwritten; running = (1 - momentum) * running + momentum * new, with
/// the variance over count - 1, as torch does. The running arrays may be null.
void batchNormFinish(std::int64_t C, double count, double epsilon, double momentum,
                     const double* sums, float* mean, float* invStd, float* runningMean,
                     float* runningVar);

/// y overwritten; z may be null. y may be x or z.
void batchNormApply(const BatchNormParams& p, const void* x, const void* z, const float* mean,
                    const float* invStd, const float* gamma, const float* beta, void* y);

/// Operands of backward that both calls share.
struct BatchNormBackward {
    const void* x = nullptr;  ///< input of forward
    const void* y = nullptr;  ///< output of forward; read only when there is a ReLU and a residual
    const void* dy = nullptr; ///< gradient of y
    const void* dyMore = nullptr; ///< a second gradient of y to be added, or null
    const float* mean = nullptr;
    const float* invStd = nullptr;
    const float* gamma = nullptr;
    const float* beta = nullptr;
    /// Gradient of z (dy + dyMore where the ReLU let through), written by the first call and read
    /// by the second; null when there was no residual. May be dy or dyMore.
    void* dz = nullptr;
};

/// sums[0..C) = sum of dz (that is dbeta), sums[C..2C) = sum of dz * normalised x (dgamma).
void batchNormBackwardSums(const BatchNormParams& p, const BatchNormBackward& b, double* sums,
                           void* workspace);

/// dx = gamma * invStd * (dz - sums[c] / count - normalised x * sums[C + c] / count), overwritten;
/// sums over all `count` rows (of all workers when reduced). dx may be dy, dyMore or x.
void batchNormBackwardApply(const BatchNormParams& p, const BatchNormBackward& b,
                            const double* sums, double count, void* dx);

} // namespace kernels::cpu
} // namespace scalebench
