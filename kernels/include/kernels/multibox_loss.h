// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SSD's training objective (Liu et al. 2015, arXiv 1512.02325, equation 1 with alpha 1 and section
// 2.2 "hard negative mining"), value and gradients. The loss of a picture, over the number of its
// positives: softmax cross-entropy of its positives and of its hardest negatives, and smooth L1 of
// the positives' deltas. A picture without positives counts 0.

#include <cstdint>

#include "kernels/softmax_ce.h"
#include "kernels/types.h"

namespace scalebench {

struct MultiboxLossParams {
    std::int64_t N = 0, boxes = 0, classes = 2; ///< pictures, default boxes of each, with class 0
    int negativesPerPositive = 3;
    float scale = 1.0f;       ///< of the gradients
    DType dtype = DType::F32; ///< of logits, deltas and their gradients
};

namespace kernels::cpu {

/// logits [N,boxes,classes] and deltas [N,boxes,4], F32 or BF16; labels [N,boxes], 0: a negative,
/// in [0,classes); targets [N,boxes,4]. dlogits and ddeltas as logits and deltas, overwritten (0
/// for the boxes that are not taken); both may be null. The negatives taken are those with the
/// largest cross-entropy, ties by the lower number, NaN before all. The sums are of the pictures'
/// losses, the counts over the boxes that were taken. The same for any number of threads.
SoftmaxCeResult multiboxLoss(const MultiboxLossParams& p, const void* logits, const void* deltas,
                             const std::int32_t* labels, const float* targets, void* dlogits,
                             void* ddeltas);

} // namespace kernels::cpu
} // namespace scalebench
