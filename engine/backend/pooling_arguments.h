// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the adapters of the pooling family share on every device: the checks of arguments and the
// parameters of the kernels. Element types are the adapter's to check. Failures throw
// InvalidArgument.

#include "engine/backend/ops/pooling_ops.h"
#include "kernels/avg_pool2d.h"
#include "kernels/elementwise.h"
#include "kernels/pool2d.h"

namespace scalebench {

/// `s`: of the input, [N,H,W,C], here and below.
MaxPoolParams maxPoolParams(const Shape& s, int window, int stride, int padding, DType dtype);
AvgPoolParams avgPoolParams(const Shape& s, int window, int stride, int padding, bool countPadding,
                            DType dtype);
GlobalAvgPoolParams globalAvgPoolParams(const Shape& s, DType dtype);
ShortcutPadParams shortcutPadParams(const Shape& s, std::int64_t channels, std::int64_t stride,
                                    DType dtype);
Resize2dParams resizeParams(const Shape& s, std::int64_t outH, std::int64_t outW, ResizeMode mode,
                            DType dtype);

/// Of the output.
Shape outputShape(const MaxPoolParams& p);
Shape outputShape(const AvgPoolParams& p);
Shape outputShape(const GlobalAvgPoolParams& p);
Shape outputShape(const ShortcutPadParams& p);
Shape outputShape(const Resize2dParams& p);

/// The gradient of an output of shape `output`.
void requirePoolGradient(const char* op, const Tensor& gradOutput, const Shape& output,
                         const Shape& inputShape);

} // namespace scalebench
