// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Embedding tables on the device; parameters as kernels/embedding.h and kernels/embedding_bag.h.
// Gradients are sums over the sorted ids (sort_ids.h): no atomics, the same bits every run, and the
// same for the dense and the sparse form. A row's entries are added in the order of the ids within
// pieces of 32 sorted ids, the pieces in order.

#include <cuda_runtime.h>

#include "kernels/cuda/bad_index.h"
#include "kernels/embedding.h"
#include "kernels/embedding_bag.h"

namespace scalebench::kernels::cuda {

constexpr int kLookupTables = 32; ///< of one call

/// y[i, column_t + c] = table_t[ids_t[i], c] for all ids i < n of `count` tables; rows of y are
/// `stride` elements apart. An id outside its table is noted in `bad` and gives zeros.
void embeddingForward(std::int64_t n, const LookupTable* tables, int count, DType dtype,
                      std::int64_t stride, BadIndex bad, void* y, cudaStream_t stream);

/// y [bags,dim]; ids outside the table and offsets that are impossible (as -1) are noted.
void embeddingBagForward(const EmbeddingBagParams& p, const float* table, const std::int32_t* ids,
                         const std::int32_t* offsets, BadIndex badId, BadIndex badOffset, void* y,
                         cudaStream_t stream);
/// source [n] and weight [bags] of embeddingSum(); impossible offsets are noted.
void embeddingBagSources(const EmbeddingBagParams& p, const std::int32_t* ids,
                         const std::int32_t* offsets, BadIndex badOffset, std::int32_t* source,
                         float* weight, cudaStream_t stream);

/// Sorted ids and what they select: sortIds() with bound = rows and skip = padding.
struct EmbeddingOrder {
    const std::int32_t *keys = nullptr, *positions = nullptr; ///< [n]
    const std::int32_t* group = nullptr; ///< [n], embeddingGroups(); null: the dense gradient
};

/// Numbers the distinct keys: group [n] (of sorted id i) and the keys themselves, ascending, in
/// rows [n]; `count` (device memory) gets how many. scratch: scanScratch(n) bytes.
void embeddingGroups(std::int64_t n, std::int64_t bound, const std::int32_t* keys,
                     std::int32_t* group, std::int32_t* rows, std::int32_t* count, void* scratch,
                     cudaStream_t stream);

/// Bytes of scratch of embeddingSum().
std::size_t embeddingSumScratch(const EmbeddingParams& p);
/// out[row] = (or +=, with `accumulate`) the sum of weight[j] dy[j] of the ids that fell on it,
/// j = source[position] or the position itself; row: the key, or its group. Rows that no id fell on
/// are left alone. dy in p.dtype, rows p.rowStride() apart; out F32 [., dim].
void embeddingSum(const EmbeddingParams& p, const EmbeddingOrder& order, const void* dy,
                  const std::int32_t* source, const float* weight, float* out, bool accumulate,
                  void* scratch, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
