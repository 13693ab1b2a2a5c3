// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the embeddings of every device check and work out from their arguments: shapes and types,
// not what ids and offsets hold. All throw InvalidArgument, or Unsupported for sizes beyond 31
// bits.

#include <cstdint>
#include <span>
#include <string>

#include "engine/backend/ops/embedding_ops.h"
#include "kernels/dot_interaction.h"
#include "kernels/embedding_bag.h"

namespace scalebench {

void requireEmbeddingTable(const std::string& op, const Tensor& table);
/// ids for a table of `rows` rows.
void requireEmbeddingIds(const std::string& op, const Tensor& ids, std::int64_t rows);
/// gradOutput: n rows of dim.
void requireEmbeddingGradient(const std::string& op, const Tensor& gradOutput, std::int64_t n,
                              std::int64_t dim);
/// Memory for the rows of `ids`.
void requireRows(const Tensor& table, const Tensor& ids, const Tensor& output);
/// One for each of `ids`.
void requireSources(const Tensor& ids, const Tensor& source);
/// Its last axis.
std::int64_t embeddingDim(const Tensor& gradOutput);

EmbeddingParams embeddingParams(const Tensor& ids, std::int64_t rows, std::int64_t dim,
                                std::int32_t padding, DType dtype);
/// Of the columns of gradOutput [n,width] that begin at `column`.
EmbeddingParams embeddingColumnParams(const Tensor& ids, std::int64_t column,
                                      const Tensor& gradOutput, std::int64_t rows,
                                      std::int64_t dim);
EmbeddingBagParams embeddingBagParams(const std::string& op, const BagIds& bags, std::int64_t rows,
                                      std::int64_t dim, std::int32_t padding, DType dtype);
/// Columns of a lookup in several tables, one of `ids` each.
std::int64_t embeddingColumns(const std::string& op, std::span<const Tensor> tables,
                              std::span<const Tensor> ids);
/// Those of `front` (none where it is undefined), which go before them.
std::int64_t frontColumns(const std::string& op, const Tensor& front, std::int64_t n, DType dtype);
/// `tables` with their ids; their columns go side by side from `column` on.
std::vector<LookupTable> lookupTables(std::span<const Tensor> tables, std::span<const Tensor> ids,
                                      std::int64_t column);
/// First column of a tensor's rows.
void* columnsOf(const Tensor& t, std::int64_t column);

/// Of all parts together; dim 0: they are empty.
struct SparseTotal {
    std::int64_t rows = 0, dim = 0;
};
SparseTotal sparseTotal(const std::string& op, std::span<const SparseRows> parts);

/// Of an activation with three axes.
DotInteractionParams dotInteractionParams(const Tensor& input);
void requireDotInteractionGradient(const DotInteractionParams& p, const Tensor& gradOutput);

} // namespace scalebench
