// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Transposed convolution whose kernel is as large as its stride, so that outputs do not overlap
// (the 2x2 of Mask R-CNN's mask head, arXiv 1703.06870), with bias and ReLU fused. x [N,H,W,C] and
// y [N,H*stride,W*stride,K] are NHWC in one element type (F32, BF16; on CUDA also F16); the master
// weight w is F32 [C,K,stride,stride], as torch.nn.ConvTranspose2d has it; the bias F32 [K]. Sums
// are made in fp32.
//   y[n, h*stride + r, w*stride + s, k] = act(bias[k] + sum over c of x[n,h,w,c] w[c,k,r,s])

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/types.h"
#include "kernels/weight_layout.h"

namespace scalebench {

struct ConvTranspose2dParams {
    std::int64_t N = 1, H = 1, W = 1, C = 1; ///< input; N may be 0
    std::int64_t K = 1;                      ///< output channels
    std::int64_t stride = 2;                 ///< and kernel height and width
    DType dtype = DType::F32;                ///< of x, y and their gradients
    bool bias = false, relu = false;         ///< epilogue of forward

    std::int64_t outH() const { return H * stride; }
    std::int64_t outW() const { return W * stride; }
    std::int64_t weightCount() const { return C * K * stride * stride; }
    auto operator<=>(const ConvTranspose2dParams&) const = default;
    /// "conv transpose2d x=bf16[8,14,14,256] NHWC w=[256,256,2,2] stride=2".
    std::string describe() const;
};

/// Throws InvalidArgument for sizes that cannot be.
void validate(const ConvTranspose2dParams& p);

namespace kernels::cpu {

/// A matrix product over pixels and a shuffle of its rows, block by block in the cache. Used as
/// Conv2dPlan; refuses reference implementations as that does.
class ConvTranspose2dPlan
{
public:
    explicit ConvTranspose2dPlan(const ConvTranspose2dParams& p);
    ~ConvTranspose2dPlan();
    ConvTranspose2dPlan(ConvTranspose2dPlan&&) noexcept;
    ConvTranspose2dPlan& operator=(ConvTranspose2dPlan&&) = delete;

    std::size_t forwardWeightBytes() const;
    std::size_t dataWeightBytes() const;
    /// How packForward() and packData() lay them out.
    WeightLayout forwardLayout() const;
    WeightLayout dataLayout() const;
    /// Scratch that every call below needs, 64-byte aligned.
    std::size_t workspaceBytes() const;

    void packForward(const float* w, void* packed, void* workspace) const;
    void packData(const float* w, void* packed, void* workspace) const;
    /// y overwritten. bias: not null when p.bias, ignored else.
    void forward(const void* x, const void* packedForward, const float* bias, void* y,
                 void* workspace) const;
    /// dx overwritten. dy here and below is the gradient before bias and ReLU.
    void backwardData(const void* dy, const void* packedData, void* dx, void* workspace) const;
    /// dw overwritten, or added to when `accumulate`.
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
