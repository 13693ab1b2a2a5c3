// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of an fp32 table picked by number, and the gradient of the table in two forms: dense (added
// into the whole table) and sparse (the touched rows only, each once). The order of summation of a
// row is the order of the ids, whatever the number of threads.
//
// A bag embedding uses the same gradients: `source` then names the row of dy that belongs to each
// id, `weight` the factor of that row (kernels/embedding_bag.h).

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/types.h"

namespace scalebench {

struct EmbeddingParams {
    std::int64_t n = 0;        ///< ids
    std::int64_t rows = 1;     ///< of the table, < 2^31
    std::int64_t dim = 1;      ///< columns of the table
    std::int32_t padding = -1; ///< id without gradient, as torch's padding_idx; -1: none
    DType dtype = DType::F32;  ///< of y and dy; the table and its gradient are F32
    std::int64_t stride = 0;   ///< elements from a row of y or dy to the next; 0: dim (dense)
    std::int64_t rowStride() const { return stride > 0 ? stride : dim; }
};

/// A table of a lookup in several at once, and where its columns begin in a row of y.
struct LookupTable {
    const float* table = nullptr;
    const std::int32_t* ids = nullptr;
    std::int64_t rows = 0, dim = 0, column = 0;
};

/// The ids of a step put in order, the first half of a sparse gradient. Memory of the caller.
struct EmbeddingGroups {
    std::int32_t* rows = nullptr;  ///< [n] ascending, unique, without padding; `count` are valid
    std::int32_t* begin = nullptr; ///< [n+1]: entries begin[i]..begin[i+1]-1 fell on rows[i]
    std::int32_t* entry = nullptr; ///< [n] positions in ids, grouped by row, ascending in a group
    std::int64_t count = 0;        ///< groups
};

namespace kernels::cpu {

/// Position of the first id outside [0, rows), or -1.
std::int64_t embeddingFirstOutside(std::int64_t n, std::int64_t rows, const std::int32_t* ids);

/// y[i, column_t + c] = table_t[ids_t[i], c] for all ids i < n of every table, y in `dtype`; rows
/// of y are `stride` elements apart. Ids must be inside.
void embeddingForward(std::int64_t n, std::span<const LookupTable> tables, DType dtype,
                      std::int64_t stride, void* y);

/// dtable[ids[i]] += weight * dy[source[i]] for all ids but padding, after zeroing the table unless
/// `accumulate`. dy in p.dtype, rows of dim; source and weight may be null: row i, factor 1;
/// weight[j] belongs to row j of dy.
void embeddingBackwardDense(const EmbeddingParams& p, const std::int32_t* ids, const void* dy,
                            const std::int32_t* source, const float* weight, float* dtable,
                            bool accumulate);

/// Bytes of scratch for embeddingGroup().
std::size_t embeddingGroupScratchBytes(std::int64_t n);
/// Fills `groups`, stable radix sort. scratch: 8-byte aligned.
void embeddingGroup(const EmbeddingParams& p, const std::int32_t* ids, EmbeddingGroups& groups,
                    void* scratch);
/// values [groups.count,dim] F32 = the sum of each group, overwritten; source and weight as above.
void embeddingBackwardSparse(const EmbeddingParams& p, const EmbeddingGroups& groups,
                             const void* dy, const std::int32_t* source, const float* weight,
                             float* values);

} // namespace kernels::cpu
} // namespace scalebench
