// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layer normalisation on a GPU: operands and formulas as in kernels/layer_norm.h, in F32, BF16 and
// F16; device pointers. Deterministic: the gradients of gamma and beta are summed per block of rows
// first, then over the blocks in their order, whose number depends on the shape only. Rows of up to
// 1024 elements are read once; longer ones up to three times.

#include <cuda_runtime_api.h>

#include "kernels/layer_norm.h"

namespace scalebench::kernels::cuda {

void layerNormForward(const LayerNormParams& p, const LayerNormForward& f, cudaStream_t stream);

/// Scratch of layerNormBackward().
std::size_t layerNormWorkspaceBytes(const LayerNormParams& p);
/// Without rows the gradients of gamma and beta are 0, or stay as they are where they accumulate.
void layerNormBackward(const LayerNormParams& p, const LayerNormBackward& b, void* workspace,
                       cudaStream_t stream);

} // namespace scalebench::kernels::cuda
