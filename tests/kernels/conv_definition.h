// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions by their definition, in double.

#include "kernels/conv2d.h"
#include "kernels/ref/values.h"

namespace scalebench::test {

struct Gradients {
    kernels::ref::Values input, weight;
};

Gradients convGradients(const Conv2dParams& p, const kernels::ref::Values& x,
                        const kernels::ref::Values& w, const kernels::ref::Values& dy);
/// With bias and ReLU.
kernels::ref::Values convResult(const Conv2dParams& p, const kernels::ref::Values& x,
                                const kernels::ref::Values& w, const kernels::ref::Values& bias);

} // namespace scalebench::test
