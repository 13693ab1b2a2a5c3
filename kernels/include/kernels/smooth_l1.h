// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses on differences of regression: smooth L1, Huber, L1. Value (plain sum) and gradient in one
// pass. Formula: kernels/formula/loss.h.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct SmoothL1Params {
    std::int64_t N = 0, width = 1; ///< rows, values of each
    float beta = 1.0f;             ///< border of the quadratic part; 0: L1
    bool huber = false;            ///< times beta: d^2 / 2 within, beta (|d| - beta / 2) beyond
    float scale = 1.0f;            ///< of the gradient
    DType dtype = DType::F32;      ///< of predictions and their gradient
};

namespace kernels::cpu {

/// predictions [N,width]; targets [N,width] F32; weights [N] F32 (null: all 1; rows of weight 0 may
/// hold anything). dpredictions as predictions, may be null or predictions itself.
double smoothL1(const SmoothL1Params& p, const void* predictions, const float* targets,
                const float* weights, void* dpredictions);

} // namespace kernels::cpu
} // namespace scalebench
