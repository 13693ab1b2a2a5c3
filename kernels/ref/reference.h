// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ops of kernels/include in double precision, written for reading, not for speed: the truth
// that tests compare with. Layouts as in the ops' own headers; results are returned by value.

#include <cstdint>
#include <vector>

#include "kernels/conv2d.h"
#include "kernels/elementwise.h"
#include "kernels/pool2d.h"

namespace scalebench::kernels::ref {

using Values = std::vector<double>;

Values conv2dForward(const Conv2dParams& p, const Values& x, const Values& w);
Values conv2dBackwardData(const Conv2dParams& p, const Values& dy, const Values& w);
Values conv2dBackwardWeight(const Conv2dParams& p, const Values& x, const Values& dy);

/// y = x w^T + b; x [N,in], w [out,in], b [out] (may be empty).
Values linearForward(std::int64_t N, std::int64_t in, std::int64_t out, const Values& x,
                     const Values& w, const Values& b);

/// Training mode; z may be empty.
Values batchNormForward(std::int64_t rows, std::int64_t C, bool relu, double epsilon,
                        const Values& x, const Values& z, const Values& gamma, const Values& beta);

Values maxPoolForward(const MaxPoolParams& p, const Values& x);
Values globalAvgPoolForward(const GlobalAvgPoolParams& p, const Values& x);
Values shortcutPadForward(const ShortcutPadParams& p, const Values& x);

/// Sum of the rows' losses.
double softmaxCrossEntropy(std::int64_t N, std::int64_t classes, double labelSmoothing,
                           const Values& logits, const std::vector<std::int32_t>& labels);

} // namespace scalebench::kernels::ref
