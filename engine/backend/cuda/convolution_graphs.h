// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The convolutions of ConvolutionOps as cuDNN graphs. Apart from what runs them, so that a test can
// ask the real library about all of them without a device.

#include "engine/backend/cuda/cudnn_graph.h"
#include "kernels/conv2d.h"

namespace scalebench::cuda_backend {

enum class ConvolutionKind : std::uint8_t { Forward, Data, Weight };

/// Numbers of the tensors in these graphs. x, w (KRSC), y and their gradients in p.dtype; bias,
/// too, since the library's ready-made engines want it so.
inline constexpr CudnnGraph::Id kConvX = 0, kConvW = 1, kConvY = 2, kConvBias = 3;

/// Bias and ReLU are part of Forward only. `alignment`: of all addresses, in bytes.
CudnnGraph convolutionGraph(const Conv2dParams& p, ConvolutionKind kind, std::int64_t alignment);

} // namespace scalebench::cuda_backend
