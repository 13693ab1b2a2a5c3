// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Updates of single rows of a table (embeddings with sparse gradients). Rows without a gradient
// are not touched: no decay, and their moments do not age ("lazy").

#include <cstdint>

namespace scalebench {

/// rows[r] of a table [tableRows, width] has the gradient values[r * width ...]. Every row at most
/// once (sum duplicates first); the caller has checked 0 <= rows[r] < tableRows.
struct SparseRowsView {
    std::int64_t count = 0, width = 1;
    const std::int32_t* rows = nullptr;
    const float* values = nullptr;
};

struct SparseSgdParams {
    double learningRate = 0.1;
    float gradientScale = 1.0f;
};

/// torch.optim.SparseAdam.
struct SparseAdamParams {
    double learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    std::int64_t step = 1; ///< number of this update, from 1
    float gradientScale = 1.0f;
};

namespace kernels::cpu {

/// w[row] -= learningRate * gradientScale * g.
void sparseSgdStep(const SparseSgdParams& p, const SparseRowsView& grad, float* table);
/// m += (1 - beta1) * (g - m);  v += (1 - beta2) * (g^2 - v);
/// w -= learningRate * sqrt(1 - beta2^step) / (1 - beta1^step) * m / (sqrt(v) + epsilon).
/// Unlike Adam, epsilon is added to the uncorrected root, as torch does.
void sparseAdamStep(const SparseAdamParams& p, const SparseRowsView& grad, float* table, float* m,
                    float* v);

} // namespace kernels::cpu
} // namespace scalebench
