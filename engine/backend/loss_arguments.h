// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the adapters of the loss family share on every device: the checks of arguments and the
// parameters of the kernels. Types of predictions and values of labels are the adapter's to check.
// Failures throw InvalidArgument.

#include "engine/backend/ops/loss_ops.h"
#include "kernels/multibox_loss.h"
#include "kernels/sigmoid_loss.h"
#include "kernels/smooth_l1.h"
#include "kernels/softmax_ce.h"

namespace scalebench {

/// logits have two axes.
SoftmaxCeParams softmaxCeParams(const char* op, const Tensor& logits, const Tensor& labels,
                                const SoftmaxCrossEntropyArgs& args);
/// weights may be undefined.
SigmoidCeParams sigmoidCeParams(const char* op, const Tensor& logits, const Tensor& targets,
                                const Tensor& weights, float scale);
FocalLossParams focalLossParams(const char* op, const Tensor& logits, const Tensor& labels,
                                const Tensor& weights, const FocalLossArgs& args);
/// weights may be undefined.
SmoothL1Params smoothL1Params(const char* op, const Tensor& predictions, const Tensor& targets,
                              const Tensor& weights, const SmoothL1Args& args);
/// logits and deltas have three axes.
MultiboxLossParams multiboxLossParams(const char* op, const Tensor& logits, const Tensor& deltas,
                                      const Tensor& labels, const Tensor& targets,
                                      const MultiboxLossArgs& args);

} // namespace scalebench
