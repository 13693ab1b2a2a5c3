// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// LAMB (You et al. 2019, arXiv 1904.00962) as NVIDIA's BERT pre-training and MLPerf BERT use it:
// bias corrected, decoupled decay, no clamp of the trust ratio. Clipping by (or dividing by) the
// global gradient norm is the caller's: it comes in as gradientScale.
// Three calls, so that the norms of a sharded update can be summed over the workers in between:
// lambMoments(), lambRatios(), lambApply().

#include <cstdint>

#include "kernels/multi_tensor.h"

namespace scalebench {

struct LambParams {
    double learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6;
    std::int64_t step = 1;          ///< number of this update, from 1: the bias corrections
    bool adaptWithoutDecay = false; ///< trust ratio for tensors with weight decay 0 too
    float gradientScale = 1.0f;
};

namespace kernels::cpu {

/// g = gradientScale * grad;  m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g^2;
/// u = m / (1 - beta1^step) / (sqrt(v / (1 - beta2^step)) + epsilon) + weightDecay * w.
/// m and v are updated in place; u is not kept (lambApply() makes it again: cheaper than memory).
/// weightSquares[t] and updateSquares[t]: sums of w^2 and u^2 in double, 0 for a tensor without
/// chunks. partial: scratch of 2 * list.chunks.size() doubles.
void lambMoments(const LambParams& p, const ChunkList& list, const float* grad, const float* w,
                 float* m, float* v, double* partial, double* weightSquares, double* updateSquares);
/// trust[t] = |w| / |u|, 1 where either is 0 or where the tensor has no decay (see
/// adaptWithoutDecay).
void lambRatios(const LambParams& p, const ChunkList& list, const double* weightSquares,
                const double* updateSquares, float* trust);
/// w -= learningRate * learningRateScale * trust * u, u from the updated m and v.
void lambApply(const LambParams& p, const ChunkList& list, const float* trust, const float* m,
               const float* v, float* w);

} // namespace kernels::cpu
} // namespace scalebench
