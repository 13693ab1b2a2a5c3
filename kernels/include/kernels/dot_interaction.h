// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The dot interaction of DLRM (Naumov et al. 2019, arXiv 1906.00091, section 2.1.2): of the F
// vectors of a sample (the dense one first), the products of all pairs behind the dense vector:
//   y = [ x_0, x_1 x_0, x_2 x_0, x_2 x_1, ..., x_{F-1} x_{F-2} ]
// 27 vectors of 128: 128 + 351. With the symmetric matrix S of the way back,
//   dX = S X + [dy_dense, 0, ...],  S_ij = S_ji = dy of the pair, S_ii = 0.
// All of it is done sample by sample, in the cache that is nearest. In bf16 that needs instructions
// for pairs of products; elsewhere the products are a batched matmul of the caller, and here are
// the steps around.

#include <cstdint>

#include "kernels/types.h"

namespace scalebench {

struct DotInteractionParams {
    std::int64_t B = 1, F = 2, D = 1; ///< samples, vectors, length of a vector
    DType dtype = DType::F32;
    std::int64_t pairs() const { return F * (F - 1) / 2; }
    std::int64_t width() const { return D + pairs(); } ///< of a row of y
};

namespace kernels::cpu {

/// x [B,F,D] -> y [B,width].
void dotInteractionForward(const DotInteractionParams& p, const float* x, float* y);
/// x [B,F,D], dy [B,width] -> dx [B,F,D], overwritten.
void dotInteractionBackward(const DotInteractionParams& p, const float* x, const float* dy,
                            float* dx);

/// Whether the following two are there.
bool dotInteractionOfPairs();
void dotInteractionForward(const DotInteractionParams& p, const bf16_t* x, bf16_t* y);
void dotInteractionBackward(const DotInteractionParams& p, const bf16_t* x, const bf16_t* dy,
                            bf16_t* dx);

/// x [B,F,D] and z = x x^T [B,F,F] -> y [B,width].
void dotInteractionPairs(const DotInteractionParams& p, const bf16_t* x, const bf16_t* z,
                         bf16_t* y);
/// dy [B,width] -> s [B,F,F], overwritten.
void dotInteractionSymmetric(const DotInteractionParams& p, const bf16_t* dy, bf16_t* s);
/// dx [B,F,D] = S X of the caller; adds the dense part of dy to vector 0 of each sample.
void dotInteractionAddDense(const DotInteractionParams& p, const bf16_t* dy, bf16_t* dx);

} // namespace kernels::cpu
} // namespace scalebench
