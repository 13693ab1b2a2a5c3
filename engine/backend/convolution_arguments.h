// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What every backend asks of the arguments of ConvolutionOps.

#include "engine/backend/ops/convolution_ops.h"
#include "kernels/check.h"

namespace scalebench {

template <class Params>
Shape inputShape(const Params& p)
{
    return {p.N, p.H, p.W, p.C};
}

template <class Params>
Shape outputShape(const Params& p)
{
    return {p.N, p.outH(), p.outW(), p.K};
}

inline Shape weightShape(const Conv2dParams& p)
{
    return {p.K, p.C / p.groups, p.R, p.S};
}

inline Shape weightShape(const ConvTranspose2dParams& p)
{
    return {p.C, p.K, p.stride, p.stride};
}

/// InvalidArgument unless `t` is a tensor of `shape` in p's type and `weight` (or its gradient)
/// fits.
template <class Params>
void requireConvolution(const Params& p, const Tensor& t, const Shape& shape, const Tensor& weight)
{
    SB_REQUIRE(t.dtype() == p.dtype && t.shape() == shape, p.describe() + ": got " + t.describe() +
                                                               " where " + dtypeName(p.dtype) +
                                                               toString(shape) + " belongs");
    SB_REQUIRE(weight.dtype() == DType::F32 && weight.shape() == weightShape(p),
               p.describe() + ": weight is " + weight.describe());
}

} // namespace scalebench
