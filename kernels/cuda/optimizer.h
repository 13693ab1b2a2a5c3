// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The fused optimizers on a GPU: all tensors of a network in one launch. Formulas and parameters as
// in kernels/sgd.h, adam.h, lars.h and lamb.h. Arrays are F32 arenas in device memory, updated in
// place; 16-byte accesses where they and the chunks begin at multiples of 16 bytes. Deterministic:
// sums are made per part of a chunk and then added in order.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/adam.h"
#include "kernels/cuda/multi_tensor.h"
#include "kernels/lamb.h"
#include "kernels/lars.h"
#include "kernels/sgd.h"

namespace scalebench::kernels::cuda {

/// Doubles that sumOfSquares() (once) and lambMoments() (twice) need as `partial`.
std::size_t partialSums(std::int64_t chunks);

/// sums[t] = sum of x^2 over tensor t, double, in device memory; 0 for a tensor without chunks.
void sumOfSquares(const DeviceChunks& list, const float* x, double* partial, double* sums,
                  cudaStream_t stream);

/// What differs from step to step. Kernels read it in device memory and not from the parameters
/// they are given, so that an update that is recorded once can be replayed with other numbers.
struct StepNumbers {
    double learningRate = 0;
    float gradientScale = 1;
    float correction1 = 1, rootCorrection2 = 1; ///< formula::AdamCoefficients
    std::int32_t off = 0;                       ///< not 0: no array is changed
};

/// Device memory.
struct DeviceStep {
    const StepNumbers* numbers = nullptr;
    const std::int32_t* closed = nullptr; ///< not 0: as `off`, by closeUnlessFinite()
};

/// Of the parameters of one update.
StepNumbers stepNumbers(const SgdParams& p);
StepNumbers stepNumbers(const AdamParams& p);
StepNumbers stepNumbers(const LarsParams& p);
StepNumbers stepNumbers(const LambParams& p);

/// *closed = 1 where the loss is NaN or infinite; else it stays.
void closeUnlessFinite(const float* loss, std::int32_t* closed, cudaStream_t stream);

/// numbers->gradientScale times what brings the gradient to a norm: its squares are
/// sums [tensors] of sumOfSquares(), added up in order, so with the result of the host.
struct NormClip {
    double largest = 0, epsilon = 0; ///< largest 0: every gradient gets norm 1
};
void clipGradient(const NormClip& clip, std::int64_t tensors, const double* sums,
                  StepNumbers* numbers, cudaStream_t stream);

void sgdStep(const SgdParams& p, const DeviceStep& step, const DeviceChunks& list,
             const float* grad, float* w, float* velocity, cudaStream_t stream);
void adamStep(const AdamParams& p, const DeviceStep& step, const DeviceChunks& list,
              const float* grad, float* w, float* m, float* v, cudaStream_t stream);
/// trust [tensors] in device memory.
void larsStep(const LarsParams& p, const DeviceStep& step, const DeviceChunks& list,
              const float* trust, const float* grad, float* w, float* velocity,
              cudaStream_t stream);
/// sums [2, tensors] in device memory: of w^2, then of u^2; of no meaning in a step that is off.
void lambMoments(const LambParams& p, const DeviceStep& step, const DeviceChunks& list,
                 const float* grad, const float* w, float* m, float* v, double* partial,
                 double* sums, cudaStream_t stream);
/// trust [tensors] from sums of squares [tensors], all in device memory; formulas as on the host.
void larsTrust(const LarsParams& p, const DeviceStep& step, const DeviceChunks& list,
               const double* gradSquares, const double* weightSquares, float* trust,
               cudaStream_t stream);
/// sums: of lambMoments().
void lambTrust(const LambParams& p, const DeviceChunks& list, const double* sums, float* trust,
               cudaStream_t stream);
void lambApply(const LambParams& p, const DeviceStep& step, const DeviceChunks& list,
               const float* trust, const float* m, const float* v, float* w, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
