// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// LARS (You, Gitman and Ginsburg 2017, arXiv 1708.03888) as the MLPerf ResNet-50 entries use it:
// SGD with momentum whose learning rate is scaled per tensor by
//   trust = eta * |w| / (|g| + weightDecay * |w| + epsilon), 1 where |w| or |g| is 0,
// except for tensors with TensorSetting::adapt false (biases, batch-norm scale and shift).
// Three calls, so that the norms of a sharded update can be summed over the workers in between:
// sumOfSquares() of gradients and of weights, larsRatios(), larsStep().

#include <cstdint>

#include "kernels/multi_tensor.h"

namespace scalebench {

struct LarsParams {
    double learningRate = 1.0, momentum = 0.9, eta = 1e-3, epsilon = 0.0;
    /// true: v = momentum * v + lr * trust * g; w -= v (arXiv 1708.03888, algorithm 1; MXNet).
    /// false: v = momentum * v + trust * g; w -= lr * v (the second variant that MLPerf admits).
    /// They differ while the learning rate changes.
    bool learningRateInMomentum = true;
    float gradientScale = 1.0f; ///< the gradient is multiplied by it first (clipping, loss scale)
};

namespace kernels::cpu {

/// trust[t] of every tensor from the sums of squares of its unscaled gradient and its weight.
void larsRatios(const LarsParams& p, const ChunkList& list, const double* gradSquares,
                const double* weightSquares, float* trust);
/// The update above with g = gradientScale * grad + weightDecay * w and
/// lr = learningRate * learningRateScale; w and velocity are updated in place.
void larsStep(const LarsParams& p, const ChunkList& list, const float* trust, const float* grad,
              float* w, float* velocity);

} // namespace kernels::cpu
} // namespace scalebench
