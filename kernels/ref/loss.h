// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses in double precision, as the plain sums that the kernels return.

#include <cstdint>
#include <vector>

#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

/// Rows with a negative label, or `ignored`, are left out.
double softmaxLoss(std::int64_t classes, double smoothing, std::int32_t ignored,
                   const Values& logits, const std::vector<std::int32_t>& labels);
/// weights may be empty.
double sigmoidLoss(const Values& logits, const Values& targets, const Values& weights);
/// Labels as kernels/sigmoid_loss.h has them; weights (one per row) may be empty.
double focalLoss(std::int64_t classes, double alpha, double gamma, const Values& logits,
                 const std::vector<std::int32_t>& labels, const Values& weights);
/// weights (one per row of `width`) may be empty.
double smoothL1(std::int64_t width, double beta, bool huber, const Values& predictions,
                const Values& targets, const Values& weights);

/// What each box counts in SSD's loss (kernels/multibox_loss.h): 1 / positives of its picture where
/// it is taken, else 0.
Values multiboxWeights(std::int64_t boxes, std::int64_t classes, int negativesPerPositive,
                       const Values& logits, const std::vector<std::int32_t>& labels);
/// With these weights.
double multiboxLoss(std::int64_t classes, const Values& logits, const Values& deltas,
                    const std::vector<std::int32_t>& labels, const Values& targets,
                    const Values& weights);

} // namespace scalebench::kernels::ref
