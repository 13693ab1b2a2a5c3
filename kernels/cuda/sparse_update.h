// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Updates of single rows of a table on a GPU, as kernels/sparse_update.h. All pointers are device
// memory. A row outside the table is noted and left out. Rows occur once, so results repeat bit for
// bit.

#include <cuda_runtime_api.h>

#include "kernels/cuda/bad_index.h"
#include "kernels/sparse_update.h"

namespace scalebench::kernels::cuda {

void sparseSgdStep(const SparseSgdParams& p, const SparseRowsView& grad, std::int64_t tableRows,
                   float* table, const BadIndex& bad, cudaStream_t stream);
void sparseAdamStep(const SparseAdamParams& p, const SparseRowsView& grad, std::int64_t tableRows,
                    float* table, float* m, float* v, const BadIndex& bad, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
