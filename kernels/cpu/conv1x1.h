// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The gradients of a 1x1 convolution as matrix products over pixels. oneDNN's products beat its
// convolutions here: weight gradient of bf16 two to five times, data gradient of fp32 up to 1.9
// times on channels-last images. A stride drops pixels: the rest is copied together first, or
// spread out after.

#include <cstddef>

#include "kernels/conv2d.h"
#include "kernels/cpu/dnnl_call.h"
#include "kernels/weight_layout.h"

namespace scalebench::kernels::cpu {

/// True for what the class below computes: 1x1, no padding, one group; any stride.
bool isPointwise(const Conv2dParams& p);

class PointwiseGradients
{
public:
    PointwiseGradients() = default;
    /// Refuses reference implementations as Conv2dPlan does. needData false: no dataGradient().
    PointwiseGradients(const Conv2dParams& p, bool needData);

    std::size_t packedWeightBytes() const { return packedBytes_; }
    WeightLayout packedLayout() const { return packedLayout_; }
    std::size_t workspaceBytes() const { return primitiveBytes_ + compactBytes_; }

    /// Packs the master weight [K,C] for dataGradient().
    void pack(const float* w, void* packed, void* workspace) const;
    /// dx [N,H,W,C] overwritten.
    void dataGradient(const void* dy, const void* packed, void* dx, void* workspace) const;
    /// dw [K,C] F32 overwritten.
    void weightGradient(const void* x, const void* dy, float* dw, void* workspace) const;

    const DnnlCall& data() const { return data_; }
    const DnnlCall& weight() const { return weight_; }

private:
    void* compact(void* workspace) const
    {
        return static_cast<std::byte*>(workspace) + primitiveBytes_;
    }

    Conv2dParams params_;
    DnnlCall data_, weight_, pack_;
    std::size_t packedBytes_ = 0;
    WeightLayout packedLayout_ = 0;
    std::size_t primitiveBytes_ = 0; // scratch of the largest primitive
    std::size_t compactBytes_ = 0;   // the pixels that a stride keeps
};

} // namespace scalebench::kernels::cpu
