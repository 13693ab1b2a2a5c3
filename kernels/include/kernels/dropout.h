// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Dropout with inverted scaling (Srivastava et al. 2014). Nothing is stored: the mask is computed
// again from the numbers below wherever it is needed (formula/dropout.h), the same on every device
// and for any number of threads.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct DropoutParams {
    std::int64_t n = 0;       ///< elements
    float probability = 0.1f; ///< of being dropped, in [0, 1)
    std::uint64_t seed = 0;   ///< of the run
    std::uint64_t stream = 0; ///< one per call site and step
    std::uint64_t offset = 0; ///< number of the first element: a worker that holds rows [r, ...)
                              ///< of a larger batch names its place; multiples of 64 are fastest
    DType dtype = DType::F32;
    /// On a GPU, in its memory: the seed of the step, of which `seed` then is the number of the
    /// draw (formula::drawnSeed()), so that a recorded launch has another mask in every replay.
    const std::uint64_t* step = nullptr;
};

namespace kernels::cpu {

/// y[i] = x[i] * factor[i], factor = 0 or 1 / (1 - probability). Backward is the same map: dx from
/// dy. y may be x. A dropped NaN or infinity stays NaN (a diverged run must show).
void dropout(const DropoutParams& p, const void* x, void* y);

/// y[i] = residual[i] + x[i] * factor[i], the end of a Transformer sublayer in one pass; rounded
/// once. y may be x or residual.
void dropoutAdd(const DropoutParams& p, const void* x, const void* residual, void* y);

/// The factors themselves, fp32 [n], for ops that apply them inside (attention probabilities).
void dropoutFactors(const DropoutParams& p, float* factors);

} // namespace kernels::cpu
} // namespace scalebench
