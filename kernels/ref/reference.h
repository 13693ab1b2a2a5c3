// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ops of kernels/include in double precision, written for reading, not for speed: the truth
// that tests compare with. Layouts as in the ops' own headers; results are returned by value.

#include <cstdint>
#include <vector>

#include "kernels/ref/convolution.h"
#include "kernels/ref/normalization.h"
#include "kernels/ref/pooling.h"
#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

/// y = x w^T + b; x [N,in], w [out,in], b [out] (may be empty).
Values linearForward(std::int64_t N, std::int64_t in, std::int64_t out, const Values& x,
                     const Values& w, const Values& b);

/// Sum of the rows' losses.
double softmaxCrossEntropy(std::int64_t N, std::int64_t classes, double labelSmoothing,
                           const Values& logits, const std::vector<std::int32_t>& labels);

} // namespace scalebench::kernels::ref
