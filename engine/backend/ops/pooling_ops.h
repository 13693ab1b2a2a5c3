// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pooling and resizing of a backend. Images [N,H,W,C].

#include <cstdint>

#include "engine/tensor/tensor.h"

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
    virtual Tensor globalAvgPoolForward(const Tensor& input) = 0;
    virtual Tensor globalAvgPoolBackward(const Shape& inputShape, const Tensor& gradOutput) = 0;
    /// Option-A shortcut: every `stride`-th pixel, zero channels added up to `channels`.
    virtual Tensor shortcutPadForward(const Tensor& input, std::int64_t channels,
                                      std::int64_t stride) = 0;
    virtual Tensor shortcutPadBackward(const Shape& inputShape, std::int64_t stride,
                                       const Tensor& gradOutput) = 0;
};

} // namespace scalebench
