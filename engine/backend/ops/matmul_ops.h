// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products of a backend. x [N,in], w [out,in] F32, b [out] F32, y [N,out] F32, row-major.

#include "engine/backend/ops/weight_ref.h"
#include "engine/tensor/tensor.h"

namespace scalebench {

class MatmulOps
{
public:
    virtual ~MatmulOps() = default;

    virtual Tensor linearForward(const Tensor& input, const WeightRef& weight,
                                 const Tensor& bias) = 0;
    /// Returns the gradient of the input, in its type. gradOutput F32.
    virtual Tensor linearBackward(const Tensor& input, const WeightRef& weight,
                                  const Tensor& gradOutput, Tensor gradWeight, Tensor gradBias,
                                  bool accumulate) = 0;
};

} // namespace scalebench
