// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pooling and resizing of a backend. Images [N,H,W,C].

#include <cstdint>

#include "engine/tensor/tensor.h"
#include "kernels/resize2d.h"

namespace scalebench {

class PoolingOps
{
public:
    virtual ~PoolingOps() = default;

    /// argmax (U8, as the output) is written when `needGradient`.
    virtual Tensor maxPoolForward(const Tensor& input, int window, int stride, int padding,
                                  bool needGradient, Tensor& argmax) = 0;
    virtual Tensor maxPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                                   const Tensor& gradOutput, const Tensor& argmax) = 0;
    /// countPadding: divide by the whole window at the border too (torch's default).
    virtual Tensor avgPoolForward(const Tensor& input, int window, int stride, int padding,
                                  bool countPadding) = 0;
    virtual Tensor avgPoolBackward(const Shape& inputShape, int window, int stride, int padding,
                                   bool countPadding, const Tensor& gradOutput) = 0;
    virtual Tensor globalAvgPoolForward(const Tensor& input) = 0;
    virtual Tensor globalAvgPoolBackward(const Shape& inputShape, const Tensor& gradOutput) = 0;
    /// Option-A shortcut: every `stride`-th pixel, zero channels added up to `channels`.
    virtual Tensor shortcutPadForward(const Tensor& input, std::int64_t channels,
                                      std::int64_t stride) = 0;
    virtual Tensor shortcutPadBackward(const Shape& inputShape, std::int64_t stride,
                                       const Tensor& gradOutput) = 0;
    /// To [N,outH,outW,C]; see kernels/resize2d.h.
    virtual Tensor resizeForward(const Tensor& input, std::int64_t outH, std::int64_t outW,
                                 ResizeMode mode) = 0;
    virtual Tensor resizeBackward(const Shape& inputShape, ResizeMode mode,
                                  const Tensor& gradOutput) = 0;
};

} // namespace scalebench
