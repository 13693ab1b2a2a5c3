// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batch normalisation in double precision, forward; layouts as in kernels/batch_norm.h.

#include <cstdint>

#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

/// Training mode; z may be empty.
Values batchNormForward(std::int64_t rows, std::int64_t C, bool relu, double epsilon,
                        const Values& x, const Values& z, const Values& gamma, const Values& beta);

/// Fixed statistics; z may be empty.
Values frozenBatchNormForward(bool relu, double epsilon, const Values& x, const Values& z,
                              const Values& gamma, const Values& beta, const Values& mean,
                              const Values& variance);

} // namespace scalebench::kernels::ref
