// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Gradients of a bias: sums over the rows of a matrix [rows, columns], row-major, alone or together
// with the gradient through the activation behind the bias.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/activation.h"
#include "kernels/types.h"

namespace scalebench::kernels::cuda {

/// Scratch of both functions below, for partial sums; any type.
std::size_t columnSumsWorkspace(std::int64_t rows, std::int64_t columns);

/// sums[c] = sum over r of x[r,c], or that added to them. x: F32, BF16 or F16; sums: F32 [columns];
/// added in fp32 in an order that only the shape decides. No rows: sums of 0.
void columnSums(DType dtype, std::int64_t rows, std::int64_t columns, const void* x, float* sums,
                bool accumulate, void* workspace, cudaStream_t stream);

/// g = dy a'(kept), rounded to gType, and (db not null) db[c] = sum over r of that before rounding,
/// or that added to it. dy, kept: [rows, columns] in yType; kept as
/// formula::activateBackward() wants it, not read where `a` is None. g may be dy or kept where the
/// types agree.
void activationBiasGradient(Activation a, DType yType, DType gType, std::int64_t rows,
                            std::int64_t columns, const void* kept, const void* dy, void* g,
                            float* db, bool accumulate, void* workspace, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
