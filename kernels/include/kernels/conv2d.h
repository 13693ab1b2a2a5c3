// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// 2-d convolution, strided, dilated and grouped, with bias and ReLU fused, forward and gradients.
// x [N,H,W,C] and y [N,outH,outW,K] are NHWC in one element type (F32, BF16; on CUDA also F16); the
// master weight w is F32 in KCRS order (out channel, in channel of its group, row, column; "OIHW"),
// the bias F32 [K]. Sums are made in fp32.
//   y[n,p,q,k] = act(bias[k] + sum over c,r,s of x[n, p*stride - padding + r*dilation,
//                q*stride - padding + s*dilation, g*C/groups + c] w[k,c,r,s])
// with g = k / (K / groups), the group of output channel k.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/types.h"
#include "kernels/weight_layout.h"

namespace scalebench {

struct Conv2dParams {
    std::int64_t N = 1, H = 1, W = 1, C = 1; ///< input; N may be 0
    std::int64_t K = 1;                      ///< output channels
    std::int64_t R = 1, S = 1;               ///< kernel height and width
    std::int64_t stride = 1, padding = 0;    ///< both directions
    DType dtype = DType::F32;                ///< of x, y and their gradients
    std::int64_t dilation = 1;               ///< both directions
    std::int64_t groups = 1;                 ///< divides C and K
    bool bias = false, relu = false;         ///< epilogue of forward

    std::int64_t outH() const { return (H + 2 * padding - dilation * (R - 1) - 1) / stride + 1; }
    std::int64_t outW() const { return (W + 2 * padding - dilation * (S - 1) - 1) / stride + 1; }
    std::int64_t weightCount() const { return K * (C / groups) * R * S; }
    auto operator<=>(const Conv2dParams&) const = default;
    /// "conv2d x=bf16[16,56,56,64] NHWC w=[256,64,1,1] stride=1 padding=0".
    std::string describe() const;
};

/// Throws InvalidArgument for sizes that cannot be.
void validate(const Conv2dParams& p);

namespace kernels::cpu {

/// A prepared convolution: creating it chooses implementations (about 1 ms), using it allocates
/// nothing. One thread at a time; the plan may be shared by all layers with equal parameters.
/// Creation throws Unsupported, with op, shapes, type and reason, where oneDNN has no fast
/// implementation (a "ref" one is refused: it would be a thousand times slower).
class Conv2dPlan
{
public:
    /// needDataGradient false (the first layer): nothing is prepared for backwardData().
    Conv2dPlan(const Conv2dParams& p, bool needDataGradient);
    ~Conv2dPlan();
    Conv2dPlan(Conv2dPlan&&) noexcept;
    Conv2dPlan& operator=(Conv2dPlan&&) = delete;

    /// Sizes of the packed weights for forward() and backwardData(); 0 for both where these take
    /// the master weight itself.
    std::size_t forwardWeightBytes() const;
    std::size_t dataWeightBytes() const;
    /// How packForward() and packData() lay them out.
    WeightLayout forwardLayout() const;
    WeightLayout dataLayout() const;
    /// Scratch that every call below needs, 64-byte aligned.
    std::size_t workspaceBytes() const;

    /// Packs the master weight (KCRS, F32) into the library's layout and type; overwritten.
    void packForward(const float* w, void* packed, void* workspace) const;
    void packData(const float* w, void* packed, void* workspace) const;
    /// y overwritten. bias: not null when p.bias, ignored else.
    void forward(const void* x, const void* packedForward, const float* bias, void* y,
                 void* workspace) const;
    /// dx overwritten. dy here and below is the gradient before bias and ReLU.
    void backwardData(const void* dy, const void* packedData, void* dx, void* workspace) const;
    /// dw (KCRS, F32) overwritten, or added to when `accumulate`.
    void backwardWeight(const void* x, const void* dy, float* dw, bool accumulate,
                        void* workspace) const;
    /// Names of the chosen implementations: "forward=…, data=…, weight=…".
    std::string implementations() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace kernels::cpu
} // namespace scalebench
