// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layer normalisation (arXiv 1607.06450) over the last axis, alone or of a residual sum:
//   s = x + z,  y = gamma * (s - mean(s)) / sqrt(var(s) + epsilon) + beta
// x, z, s, y [rows,C] in `dtype` (F32 or BF16); gamma, beta F32 [C]; mean and invStd F32 [rows].
// Arithmetic is fp32; the variance divides by C, as torch.nn.LayerNorm does. C = 0 or rows = 0 do
// nothing.

#include <cstddef>
#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct LayerNormParams {
    std::int64_t rows = 1, C = 1;
    DType dtype = DType::F32;
    float epsilon = 1e-5f;
};

/// Operands of layerNormForward(); y, mean and invStd overwritten.
struct LayerNormForward {
    const void* x = nullptr;
    const void* z = nullptr; ///< may be null: no residual
    void* sum = nullptr;     ///< x + z, overwritten; with z only
    const float* gamma = nullptr;
    const float* beta = nullptr;
    void* y = nullptr;
    float* mean = nullptr; ///< null together with invStd: not kept
    float* invStd = nullptr;
};

/// Operands of layerNormBackward().
struct LayerNormBackward {
    const void* s = nullptr; ///< what was normalised: x, or the sum
    const float* gamma = nullptr;
    const float* mean = nullptr;
    const float* invStd = nullptr;
    const void* dy = nullptr;
    const void* dsMore = nullptr; ///< gradient that reached s on another way, added; may be null
    void* ds = nullptr;           ///< overwritten; may be dy or dsMore
    float* dgamma = nullptr;      ///< overwritten, or added to when `accumulate`
    float* dbeta = nullptr;
    bool accumulateGamma = false, accumulateBeta = false;
};

namespace kernels::cpu {

void layerNormForward(const LayerNormParams& p, const LayerNormForward& f);

/// Scratch of layerNormBackward().
std::size_t layerNormWorkspaceBytes(const LayerNormParams& p);
void layerNormBackward(const LayerNormParams& p, const LayerNormBackward& b, void* workspace);

} // namespace kernels::cpu
} // namespace scalebench
