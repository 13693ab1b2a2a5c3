// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions in double precision, forward; layouts as in kernels/conv2d.h and
// kernels/conv_transpose2d.h. Linear in each operand up to the ReLU, so finite differences give
// their gradients to the last digits.

#include "kernels/conv2d.h"
#include "kernels/conv_transpose2d.h"
#include "kernels/ref/values.h"

namespace scalebench::kernels::ref {

/// bias [K]: read only when p.bias. The ReLU of p is applied.
Values conv2dForward(const Conv2dParams& p, const Values& x, const Values& w,
                     const Values& bias = {});
Values convTranspose2dForward(const ConvTranspose2dParams& p, const Values& x, const Values& w,
                              const Values& bias = {});

} // namespace scalebench::kernels::ref
