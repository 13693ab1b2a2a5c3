// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The dot interaction of DLRM on the device, products included; see kernels/dot_interaction.h. One
// block per sample, whose vectors lie in shared memory as fp32.

#include <cuda_runtime.h>

#include "kernels/dot_interaction.h"

namespace scalebench::kernels::cuda {

/// x [B,F,D] -> y [B,width]. Unsupported where a sample does not fit into `sharedBytes`, the shared
/// memory of a block.
void dotInteractionForward(const DotInteractionParams& p, const void* x, void* y,
                           std::size_t sharedBytes, cudaStream_t stream);
/// x and dy [B,width] -> dx as x, overwritten; rounded once.
void dotInteractionBackward(const DotInteractionParams& p, const void* x, const void* dy, void* dx,
                            std::size_t sharedBytes, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
