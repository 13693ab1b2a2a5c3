// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The elementwise part of a linear layer: activation after a product, and its way back with the
// column sums (bias gradient) in the same pass.

#include <cstddef>
#include <cstdint>

#include "kernels/activation.h"
#include "kernels/types.h"

namespace scalebench::kernels::cpu {

/// y = act(x), n elements of one type. GeluErf and GeluTanh only: the others are epilogues.
void linearActivation(Activation a, DType dtype, std::int64_t n, const void* x, void* y);

/// Rows of one partial column sum.
constexpr std::int64_t kGradientRows = 128;

/// Bytes of scratch for linearGradient(), a multiple of 64.
std::size_t linearGradientWorkspace(std::int64_t rows, std::int64_t C);

/// g[r,c] = dy[r,c] act'(kept) rounded to `gType`, g null: not stored; db[c] = sum over r of it
/// (before rounding), or added when `accumulate`, db null: not summed. dy and kept are `dyType`;
/// kept null without activation. g may be dy when the types agree.
void linearGradient(Activation a, DType dyType, DType gType, std::int64_t rows, std::int64_t C,
                    const void* kept, const void* dy, void* g, float* db, bool accumulate,
                    void* workspace);

/// The same of at most kGradientRows rows by this thread alone; their column sums (may be null) are
/// overwritten.
void linearGradientRows(Activation a, DType dyType, DType gType, std::int64_t rows, std::int64_t C,
                        const void* kept, const void* dy, void* g, float* sums);

/// db (+)= the sum of `chunks` rows of column sums.
void addColumnSums(const float* sums, std::int64_t chunks, std::int64_t C, float* db,
                   bool accumulate);

} // namespace scalebench::kernels::cpu
