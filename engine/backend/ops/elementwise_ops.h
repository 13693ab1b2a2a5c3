// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Element by element operations of a backend.

#include <vector>

#include "engine/tensor/tensor.h"

namespace scalebench {

class ElementwiseOps
{
public:
    virtual ~ElementwiseOps() = default;

    virtual Tensor cast(const Tensor& input, DType dtype) = 0;
    /// Sum of one or more tensors of one shape and type; may reuse the first when unshared.
    virtual Tensor sum(std::vector<Tensor> terms) = 0;
    virtual Tensor reluForward(const Tensor& input) = 0;
    virtual Tensor reluBackward(const Tensor& output, const Tensor& gradOutput) = 0;
};

} // namespace scalebench
