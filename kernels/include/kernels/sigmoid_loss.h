// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses on independent logits: binary cross-entropy and the focal loss of one-stage detectors.
// Value and gradient in one pass; the value returned is the plain sum, `scale` is of the gradient.
// Sums do not depend on the number of threads. Formulas: kernels/formula/loss.h.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct SigmoidCeParams {
    std::int64_t n = 0;
    float scale = 1.0f;       ///< of the gradient
    DType dtype = DType::F32; ///< of logits and dlogits
};

struct FocalLossParams {
    std::int64_t N = 0, classes = 1; ///< rows (anchors), logits of each
    float alpha = 0.25f, gamma = 2.0f;
    float scale = 1.0f;       ///< of the gradient
    DType dtype = DType::F32; ///< of logits and dlogits
};

/// Labels of focalLoss() that are no class.
constexpr std::int32_t kFocalBackground = -1, kFocalIgnored = -2;

namespace kernels::cpu {

/// sum of w (softplus(z) - z t); dlogits = scale w (sigmoid(z) - t), may be null or logits itself.
/// targets, weights [n] F32; weights may be null (all 1).
double sigmoidCrossEntropy(const SigmoidCeParams& p, const void* logits, const float* targets,
                           const float* weights, void* dlogits);

/// Focal loss of logits [N,classes]: the target of a row is 1 in column label (none for
/// kFocalBackground) and 0 elsewhere; a row labelled kFocalIgnored counts nothing and has gradient
/// 0. Each row counts times weights [N] F32 (null: 1). dlogits as logits, may be null or logits
/// itself. Labels must be < classes.
double focalLoss(const FocalLossParams& p, const void* logits, const std::int32_t* labels,
                 const float* weights, void* dlogits);

} // namespace kernels::cpu
} // namespace scalebench
