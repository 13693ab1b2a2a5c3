// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Convolutions of a backend, with bias and ReLU fused. x [N,H,W,C], y [N,outH,outW,K], NHWC; w F32
// [K,C/groups,R,S] (transposed: [C,K,stride,stride]), bias F32 [K].

#include <vector>

#include "engine/backend/ops/weight_ref.h"
#include "engine/tensor/tensor.h"
#include "kernels/conv2d.h"
#include "kernels/conv_transpose2d.h"

namespace scalebench {

class ConvolutionOps
{
public:
    virtual ~ConvolutionOps() = default;

    /// bias: read only when p.bias.
    virtual Tensor conv2dForward(const Conv2dParams& p, const Tensor& input,
                                 const WeightRef& weight, const Tensor& bias) = 0;
    /// gradOutput here and below is the gradient before bias and ReLU: see biasReluBackward().
    virtual Tensor conv2dBackwardData(const Conv2dParams& p, const Tensor& gradOutput,
                                      const WeightRef& weight) = 0;
    virtual void conv2dBackwardWeight(const Conv2dParams& p, const Tensor& input,
                                      const Tensor& gradOutput, Tensor gradWeight,
                                      bool accumulate) = 0;

    virtual Tensor convTranspose2dForward(const ConvTranspose2dParams& p, const Tensor& input,
                                          const WeightRef& weight, const Tensor& bias) = 0;
    virtual Tensor convTranspose2dBackwardData(const ConvTranspose2dParams& p,
                                               const Tensor& gradOutput,
                                               const WeightRef& weight) = 0;
    virtual void convTranspose2dBackwardWeight(const ConvTranspose2dParams& p, const Tensor& input,
                                               const Tensor& gradOutput, Tensor gradWeight,
                                               bool accumulate) = 0;

    /// From the gradient of the result (terms to be summed, consumed) to the one before bias and
    /// ReLU. output: the result where there was a ReLU, else undefined. gradBias gets the column
    /// sums; undefined where there is none.
    virtual Tensor biasReluBackward(const Tensor& output, std::vector<Tensor> gradOutputs,
                                    Tensor gradBias, bool accumulate) = 0;
};

} // namespace scalebench
