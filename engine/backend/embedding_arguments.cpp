// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/embedding_arguments.h"

#include <limits>

#include "kernels/check.h"

namespace scalebench {

void requireEmbeddingTable(const std::string& op, const Tensor& table)
{
    SB_REQUIRE(table.defined() && table.dtype() == DType::F32 && table.shape().size() == 2,
               op + ": the table must be f32 [rows,dim], not " + table.describe());
}

void requireEmbeddingIds(const std::string& op, const Tensor& ids, std::int64_t rows)
{
    constexpr std::int64_t kMaxCount = std::numeric_limits<std::int32_t>::max();
    SB_REQUIRE(ids.defined() && ids.dtype() == DType::I32,
               op + ": ids must be i32, not " + ids.describe());
    if (ids.count() > kMaxCount || rows > kMaxCount)
        throw Unsupported(op + ": " + ids.describe() + " on a table of " + std::to_string(rows) +
                          " rows: both are counted in 31 bits");
}

void requireEmbeddingGradient(const std::string& op, const Tensor& gradOutput, std::int64_t n,
                              std::int64_t dim)
{
    SB_REQUIRE(gradOutput.count() == n * dim, op + ": gradient " + gradOutput.describe() +
                                                  " must hold " + std::to_string(n) + " rows of " +
                                                  std::to_string(dim));
}

void requireRows(const Tensor& table, const Tensor& ids, const Tensor& output)
{
    SB_REQUIRE(output.shape() == Shape({ids.count(), table.dim(1)}),
               "embedding: rows of " + table.describe() + " by " + ids.describe() +
                   " do not go into " + output.describe());
}

void requireSources(const Tensor& ids, const Tensor& source)
{
    SB_REQUIRE(source.dtype() == DType::I32 && source.count() == ids.count(),
               "embedding backward: sources " + source.describe() + " of ids " + ids.describe());
}

std::int64_t embeddingDim(const Tensor& gradOutput)
{
    SB_REQUIRE(gradOutput.defined() && !gradOutput.shape().empty(),
               "embedding gradient: no tensor");
    return gradOutput.shape().back();
}

EmbeddingParams embeddingParams(const Tensor& ids, std::int64_t rows, std::int64_t dim,
                                std::int32_t padding, DType dtype)
{
    return {ids.count(), rows, dim, padding, dtype, 0};
}

EmbeddingParams embeddingColumnParams(const Tensor& ids, std::int64_t column,
                                      const Tensor& gradOutput, std::int64_t rows, std::int64_t dim)
{
    SB_REQUIRE(gradOutput.dim(0) == ids.count() && column >= 0 && column + dim <= gradOutput.dim(1),
               "embedding backward: gradient " + gradOutput.describe() + " for " + ids.describe() +
                   " ids and columns " + std::to_string(column) + " to " +
                   std::to_string(column + dim));
    EmbeddingParams p = embeddingParams(ids, rows, dim, -1, gradOutput.dtype());
    p.stride = gradOutput.dim(1);
    return p;
}

EmbeddingBagParams embeddingBagParams(const std::string& op, const BagIds& bags, std::int64_t rows,
                                      std::int64_t dim, std::int32_t padding, DType dtype)
{
    SB_REQUIRE(bags.offsets.defined() && bags.offsets.dtype() == DType::I32,
               op + ": offsets must be i32, not " + bags.offsets.describe());
    const EmbeddingBagParams p{embeddingParams(bags.ids, rows, dim, padding, dtype),
                               bags.offsets.count(), bags.mean};
    SB_REQUIRE(p.bags > 0 || p.ids.n == 0, op + ": " + bags.ids.describe() + " ids, but no bags");
    return p;
}

std::int64_t embeddingColumns(const std::string& op, std::span<const Tensor> tables,
                              std::span<const Tensor> ids)
{
    SB_REQUIRE(!tables.empty() && tables.size() == ids.size(),
               op + ": " + std::to_string(tables.size()) + " tables and ids for " +
                   std::to_string(ids.size()));
    std::int64_t width = 0;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        requireEmbeddingTable(op, tables[i]);
        requireEmbeddingIds(op, ids[i], tables[i].dim(0));
        SB_REQUIRE(ids[i].count() == ids[0].count(),
                   op + ": " + ids[0].describe() + " and " + ids[i].describe() + " ids");
        width += tables[i].dim(1);
    }
    return width;
}

std::int64_t frontColumns(const std::string& op, const Tensor& front, std::int64_t n, DType dtype)
{
    if (!front.defined())
        return 0;
    SB_REQUIRE(front.shape().size() == 2 && front.dim(0) == n && front.dtype() == dtype,
               op + ": " + front.describe() + " does not go before " + std::to_string(n) +
                   " rows of " + dtypeName(dtype));
    return front.dim(1);
}

std::vector<LookupTable> lookupTables(std::span<const Tensor> tables, std::span<const Tensor> ids,
                                      std::int64_t column)
{
    std::vector<LookupTable> lookups;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        lookups.push_back({static_cast<const float*>(tables[i].data()),
                           static_cast<const std::int32_t*>(ids[i].data()), tables[i].dim(0),
                           tables[i].dim(1), column});
        column += tables[i].dim(1);
    }
    return lookups;
}

void* columnsOf(const Tensor& t, std::int64_t column)
{
    return static_cast<char*>(t.data()) + std::size_t(column) * dtypeBytes(t.dtype());
}

SparseTotal sparseTotal(const std::string& op, std::span<const SparseRows> parts)
{
    SparseTotal total;
    for (const SparseRows& part : parts) {
        if (part.empty())
            continue;
        total.dim = total.dim == 0 ? embeddingDim(part.values) : total.dim;
        SB_REQUIRE(part.values.dtype() == DType::F32 && part.values.shape().size() == 2 &&
                       part.values.dim(0) == part.rows.count() && part.values.dim(1) == total.dim,
                   op + ": " + part.values.describe() + " for " + part.rows.describe() +
                       " rows of " + std::to_string(total.dim));
        total.rows += part.count();
    }
    return total;
}

DotInteractionParams dotInteractionParams(const Tensor& input)
{
    SB_REQUIRE(input.dim(1) > 0 && input.dim(2) > 0,
               "dot interaction: no vectors in " + input.describe());
    return {input.dim(0), input.dim(1), input.dim(2), input.dtype()};
}

void requireDotInteractionGradient(const DotInteractionParams& p, const Tensor& gradOutput)
{
    SB_REQUIRE(gradOutput.dtype() == p.dtype && gradOutput.shape() == Shape({p.B, p.width()}),
               "dot interaction backward: gradient " + gradOutput.describe() +
                   " does not belong to an input " + dtypeName(p.dtype) +
                   toString({p.B, p.F, p.D}));
}

} // namespace scalebench
