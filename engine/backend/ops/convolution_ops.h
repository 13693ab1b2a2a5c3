// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions of a backend. x [N,H,W,C], w [K,C,R,S] F32, y [N,outH,outW,K], NHWC.

#include "engine/backend/ops/weight_ref.h"
#include "engine/tensor/tensor.h"
#include "kernels/conv2d.h"

namespace scalebench {

class ConvolutionOps
{
public:
    virtual ~ConvolutionOps() = default;

    virtual Tensor conv2dForward(const Conv2dParams& p, const Tensor& input,
                                 const WeightRef& weight) = 0;
    virtual Tensor conv2dBackwardData(const Conv2dParams& p, const Tensor& gradOutput,
                                      const WeightRef& weight) = 0;
    virtual void conv2dBackwardWeight(const Conv2dParams& p, const Tensor& input,
                                      const Tensor& gradOutput, Tensor gradWeight,
                                      bool accumulate) = 0;
};

} // namespace scalebench
