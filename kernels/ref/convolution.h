// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions in double precision, forward; layouts as in kernels/conv2d.h and
// kernels/conv_transpose2d.h. Their gradients follow from finite differences; as a convolution is
// linear in each operand, these are exact.

#include "kernels/conv2d.h"
#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

/// bias [K]: read only when p.bias. The ReLU of p is applied.
Values conv2dForward(const Conv2dParams& p, const Values& x, const Values& w,
                     const Values& bias = {});
/// Gradients before bias and ReLU.
Values conv2dBackwardData(const Conv2dParams& p, const Values& dy, const Values& w);
Values conv2dBackwardWeight(const Conv2dParams& p, const Values& x, const Values& dy);

} // namespace scalebench::kernels::ref
