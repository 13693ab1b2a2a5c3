// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A 1x1 convolution as matrix products over pixels. oneDNN's products beat its convolutions for the
// gradients (weight gradient of bf16 two to five times, data gradient of fp32 up to 1.9 times on
// channels-last images), and our own beat both where matmul.cpp takes those. A stride drops pixels:
// the rest is copied together first, or spread out after.

#include <cstddef>
#include <optional>

#include "kernels/conv2d.h"
#include "kernels/matmul.h"
#include "kernels/weight_layout.h"

namespace scalebench::kernels::cpu {

/// True for what the class below computes: 1x1, no padding, one group; any stride.
bool isPointwise(const Conv2dParams& p);

class PointwiseConvolution
{
public:
    /// Refuses reference implementations as Conv2dPlan does. needData false: no dataGradient().
    PointwiseConvolution(const Conv2dParams& p, bool needData);

    /// Whether forward() will be here: where the product is our own. oneDNN's convolution is as
    /// fast as its product.
    static bool suitsForward(const Conv2dParams& p);
    bool hasForward() const { return forward_.has_value(); }
    const MatmulPlan& forwardProduct() const { return *forward_; }
    bool hasData() const { return data_.has_value(); }
    const MatmulPlan& dataProduct() const { return *data_; }
    const MatmulPlan& weightProduct() const { return *weight_; }
    std::size_t workspaceBytes() const { return productBytes_ + compactBytes_; }

    /// y [N,outH,outW,K] = relu(x * w + bias), as params have it; `packed` by forwardProduct().
    void forward(const void* x, const void* packed, const float* bias, void* y,
                 void* workspace) const;
    /// dx [N,H,W,C] overwritten; `packed` by dataProduct().
    void dataGradient(const void* dy, const void* packed, void* dx, void* workspace) const;
    /// dw [K,C] F32 overwritten.
    void weightGradient(const void* x, const void* dy, float* dw, void* workspace) const;

private:
    void* compact(void* workspace) const
    {
        return static_cast<std::byte*>(workspace) + productBytes_;
    }
    /// x, or those of its pixels that the stride keeps.
    const void* kept(const void* x, void* workspace) const;

    Conv2dParams params_;
    std::optional<MatmulPlan> forward_, data_, weight_;
    std::size_t productBytes_ = 0; // scratch of the largest product
    std::size_t compactBytes_ = 0; // the pixels that a stride keeps
};

} // namespace scalebench::kernels::cpu
