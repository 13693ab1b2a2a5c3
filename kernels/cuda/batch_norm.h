// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batch normalisation on a GPU; formulas, shapes and meaning of the operands as in
// kernels/batch_norm.h and kernels/frozen_batch_norm.h, in F32, BF16 and F16. All pointers are
// device memory. Forward and backward are two launches each: one reads everything and leaves sums
// per channel, with what follows from them; one computes the elements. Sums are deterministic (see
// kernels/cuda/channels.h) and do not depend on the device.

#include <cuda_runtime_api.h>

#include "kernels/batch_norm.h"

namespace scalebench::kernels::cuda {

/// What the calls that sum work in.
struct BatchNormScratch {
    void* workspace = nullptr;   ///< batchNormWorkspaceBytes()
    unsigned* arrived = nullptr; ///< batchNormTiles() counters; zero before, zero afterwards
};
std::size_t batchNormWorkspaceBytes(const BatchNormParams& p);
std::int64_t batchNormTiles(const BatchNormParams& p);

/// What becomes of the statistics of `count` rows. mean and invStd are overwritten; the running
/// ones, which may be null, updated.
struct BatchNormUpdate {
    double count = 0, epsilon = 1e-5, momentum = 0.1;
    float* mean = nullptr;
    float* invStd = nullptr;
    float* runningMean = nullptr;
    float* runningVar = nullptr;
};

/// Sums over rows > 0. With `sums` [2C] they are written there
/// (kernels::cpu::batchNormStatistics()) and that is all: to be reduced over workers. Else `update`
/// is made from them.
void batchNormStatistics(const BatchNormParams& p, const void* x, double* sums,
                         const BatchNormUpdate& update, const BatchNormScratch& scratch,
                         cudaStream_t stream);
/// From sums [2C] that were reduced.
void batchNormFinish(std::int64_t C, const double* sums, const BatchNormUpdate& update,
                     cudaStream_t stream);
/// invStd = 1 / sqrt(variance + epsilon), [C].
void batchNormInvStd(std::int64_t C, const float* variance, double epsilon, float* invStd,
                     cudaStream_t stream);

/// y = act((x - mean) * invStd * gamma + beta + z); y may be x or z; z may be null.
void batchNormApply(const BatchNormParams& p, const void* x, const void* z, const float* mean,
                    const float* invStd, const float* gamma, const float* beta, void* y,
                    cudaStream_t stream);
/// The same with invStd = 1 / sqrt(variance + epsilon).
void frozenBatchNormForward(const BatchNormParams& p, double epsilon, const void* x, const void* z,
                            const float* gamma, const float* beta, const float* mean,
                            const float* variance, void* y, cudaStream_t stream);

/// Where the gradients of gamma and beta go: written, or added to.
struct BatchNormParameterGradients {
    float* gamma = nullptr;
    float* beta = nullptr;
    bool accumulate = false;
};

/// First half of backward, rows > 0; writes b.dz where there is one, and the parameters' gradients.
/// With `sums` [2C] the sums are left there, to be reduced; else slopes [3C], for
/// batchNormBackwardApply(), are made from them, for `count` rows.
void batchNormBackwardSums(const BatchNormParams& p, const cpu::BatchNormBackward& b,
                           const BatchNormParameterGradients& gradients, double* sums, double count,
                           float* slopes, const BatchNormScratch& scratch, cudaStream_t stream);
/// slopes [3C] from sums [2C] that were reduced.
void batchNormSlopes(std::int64_t C, const cpu::BatchNormBackward& b, const double* sums,
                     double count, float* slopes, cudaStream_t stream);
/// Second half; dx may be dy, dyMore or x.
void batchNormBackwardApply(const BatchNormParams& p, const cpu::BatchNormBackward& b,
                            const float* slopes, void* dx, cudaStream_t stream);

/// kernels::cpu::frozenBatchNormBackward() with scale = gamma / sqrt(variance + epsilon).
void frozenBatchNormBackward(const BatchNormParams& p, double epsilon, const void* y,
                             const void* dy, const void* dyMore, const float* gamma,
                             const float* variance, void* dx, void* dz, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
