// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the batch normalisation of every device treats the gradients that it gets and gives.

#include <vector>

#include "engine/backend/ops/elementwise_ops.h"
#include "engine/backend/ops/normalization_ops.h"

namespace scalebench {

/// Kernels add two gradients on the fly; more are summed before. InvalidArgument without any.
void sumToTwoTerms(std::vector<Tensor>& gradOutputs, ElementwiseOps& elementwise);

/// Where the results of batch norm's backward go: an unshared gradient is done with after this op,
/// its memory takes one.
BatchNormGradients batchNormGradientsIn(const std::vector<Tensor>& gradOutputs, bool hasResidual,
                                        Allocator& allocator);

} // namespace scalebench
