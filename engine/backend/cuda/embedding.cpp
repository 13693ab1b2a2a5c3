// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"

#include <algorithm>

#include "engine/backend/embedding_arguments.h"
#include "kernels/cuda/copy_rows.h"
#include "kernels/cuda/dot_interaction.h"
#include "kernels/cuda/embedding.h"
#include "kernels/cuda/scan.h"
#include "kernels/cuda/sort_ids.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

void requireIds(const std::string& op, const Tensor& ids, std::int64_t rows)
{
    requireEmbeddingIds(op, ids, rows);
    SB_REQUIRE(ids.onDevice() || ids.count() == 0,
               op + ": ids " + ids.describe() + " must be in device memory");
}

void requireGradient(const char* op, const Tensor& gradOutput, std::int64_t n, std::int64_t dim)
{
    requireActivation(op, gradOutput, 0);
    requireEmbeddingGradient(op, gradOutput, n, dim);
}

EmbeddingParams columnParams(const Tensor& ids, std::int64_t column, const Tensor& gradOutput,
                             std::int64_t rows, std::int64_t dim)
{
    requireActivation("embedding backward", gradOutput, 2);
    requireIds("embedding backward", ids, rows);
    return embeddingColumnParams(ids, column, gradOutput, rows, dim);
}

EmbeddingBagParams bagParams(const char* op, const BagIds& bags, std::int64_t rows,
                             std::int64_t dim, std::int32_t padding, DType dtype)
{
    requireIds(op, bags.ids, rows);
    return embeddingBagParams(op, bags, rows, dim, padding, dtype);
}

DotInteractionParams interactionParams(const Tensor& input)
{
    requireActivation("dot interaction", input, 3);
    return dotInteractionParams(input);
}

class CudaEmbedding final : public EmbeddingOps
{
public:
    explicit CudaEmbedding(CudaContext& context) : context_(context) {}

    Tensor embeddingForward(const Tensor& table, const Tensor& ids, DType dtype) override
    {
        const CudaContext::Timer timer(context_, "embedding");
        requireEmbeddingTable("embedding", table);
        requireIds("embedding", ids, table.dim(0));
        Shape shape = ids.shape();
        shape.push_back(table.dim(1));
        Tensor output = context_.make(std::move(shape), dtype);
        requireActivation("embedding", output, 0);
        const cuda::LookupTable lookup{at<const float>(table), at<const std::int32_t>(ids),
                                       table.dim(0), table.dim(1), 0};
        cuda::embeddingForward(ids.count(), &lookup, 1, dtype, table.dim(1),
                               context_.badIndex("embedding"), output.data(), context_.stream());
        return output;
    }

    void embeddingBackward(const Tensor& ids, std::int32_t padding, const Tensor& gradOutput,
                           Tensor gradTable, bool accumulate) override
    {
        const CudaContext::Timer timer(context_, "embedding backward");
        requireEmbeddingTable("embedding backward", gradTable);
        requireIds("embedding backward", ids, gradTable.dim(0));
        requireGradient("embedding backward", gradOutput, ids.count(), gradTable.dim(1));
        sumDense(
            embeddingParams(ids, gradTable.dim(0), gradTable.dim(1), padding, gradOutput.dtype()),
            ids, gradOutput.data(), {}, gradTable, accumulate);
    }

    SparseRows embeddingBackwardSparse(const Tensor& ids, std::int32_t padding,
                                       const Tensor& gradOutput, std::int64_t rows) override
    {
        const CudaContext::Timer timer(context_, "embedding backward");
        requireIds("embedding backward", ids, rows);
        const std::int64_t dim = embeddingDim(gradOutput);
        requireGradient("embedding backward", gradOutput, ids.count(), dim);
        return sumSorted(embeddingParams(ids, rows, dim, padding, gradOutput.dtype()), ids,
                         gradOutput.data(), {});
    }

    void rowsForward(const Tensor& table, const Tensor& ids, Tensor output) override
    {
        const CudaContext::Timer timer(context_, "embedding");
        requireEmbeddingTable("embedding", table);
        requireIds("embedding", ids, table.dim(0));
        requireActivation("embedding", output, 2);
        requireRows(table, ids, output);
        const cuda::LookupTable lookup{at<const float>(table), at<const std::int32_t>(ids),
                                       table.dim(0), table.dim(1), 0};
        cuda::embeddingForward(ids.count(), &lookup, 1, output.dtype(), table.dim(1),
                               context_.badIndex("embedding"), output.data(), context_.stream());
    }

    SparseRows rowsBackwardSparse(const Tensor& ids, const Tensor& source, const Tensor& gradOutput,
                                  std::int64_t rows) override
    {
        const CudaContext::Timer timer(context_, "embedding backward");
        requireIds("embedding backward", ids, rows);
        requireActivation("embedding backward", gradOutput, 2);
        requireSources(ids, source);
        return sumSorted(
            embeddingParams(ids, rows, embeddingDim(gradOutput), -1, gradOutput.dtype()), ids,
            gradOutput.data(), {source, Tensor()});
    }

    Tensor columnsForward(std::span<const Tensor> tables, std::span<const Tensor> ids, DType dtype,
                          const Tensor& front) override
    {
        const CudaContext::Timer timer(context_, "embedding");
        const char* op = "embedding of several tables";
        const std::int64_t looked = embeddingColumns(op, tables, ids), n = ids[0].count();
        const std::int64_t before = frontColumns(op, front, n, dtype), width = before + looked;
        std::vector<cuda::LookupTable> lookups;
        std::int64_t column = before;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            requireIds(op, ids[i], tables[i].dim(0));
            lookups.push_back({at<const float>(tables[i]), at<const std::int32_t>(ids[i]),
                               tables[i].dim(0), tables[i].dim(1), column});
            column += tables[i].dim(1);
        }
        Tensor output = context_.make({n, width}, dtype);
        requireActivation(op, output, 2);
        if (before > 0)
            cuda::copyRows(n, std::size_t(before) * dtypeBytes(dtype), front.data(),
                           std::size_t(before) * dtypeBytes(dtype), output.data(),
                           std::size_t(width) * dtypeBytes(dtype), context_.stream());
        for (std::size_t i = 0; i < lookups.size(); i += cuda::kLookupTables)
            cuda::embeddingForward(
                n, lookups.data() + i,
                int(std::min<std::size_t>(cuda::kLookupTables, lookups.size() - i)), dtype, width,
                context_.badIndex(op), output.data(), context_.stream());
        return output;
    }

    void columnsBackward(const Tensor& ids, std::int64_t column, const Tensor& gradOutput,
                         Tensor gradTable, bool accumulate) override
    {
        const CudaContext::Timer timer(context_, "embedding backward");
        requireEmbeddingTable("embedding backward", gradTable);
        sumDense(columnParams(ids, column, gradOutput, gradTable.dim(0), gradTable.dim(1)), ids,
                 columnsOf(gradOutput, column), {}, gradTable, accumulate);
    }

    SparseRows columnsBackwardSparse(const Tensor& ids, std::int64_t column,
                                     const Tensor& gradOutput, std::int64_t rows,
                                     std::int64_t dim) override
    {
        const CudaContext::Timer timer(context_, "embedding backward");
        return sumSorted(columnParams(ids, column, gradOutput, rows, dim), ids,
                         columnsOf(gradOutput, column), {});
    }

    Tensor bagForward(const Tensor& table, const BagIds& bags, std::int32_t padding,
                      DType dtype) override
    {
        const CudaContext::Timer timer(context_, "bag embedding");
        requireEmbeddingTable("bag embedding", table);
        const EmbeddingBagParams p =
            bagParams("bag embedding", bags, table.dim(0), table.dim(1), padding, dtype);
        Tensor output = context_.make({p.bags, table.dim(1)}, dtype);
        requireActivation("bag embedding", output, 2);
        cuda::embeddingBagForward(
            p, at<const float>(table), at<const std::int32_t>(bags.ids),
            at<const std::int32_t>(bags.offsets), context_.badIndex("bag embedding"),
            context_.badIndex("bag embedding offsets"), output.data(), context_.stream());
        return output;
    }

    void bagBackward(const BagIds& bags, std::int32_t padding, const Tensor& gradOutput,
                     Tensor gradTable, bool accumulate) override
    {
        const CudaContext::Timer timer(context_, "bag embedding backward");
        requireEmbeddingTable("bag embedding backward", gradTable);
        const EmbeddingBagParams p = bagParams("bag embedding backward", bags, gradTable.dim(0),
                                               gradTable.dim(1), padding, gradOutput.dtype());
        requireGradient("bag embedding backward", gradOutput, p.bags, gradTable.dim(1));
        sumDense(p.ids, bags.ids, gradOutput.data(), sources(p, bags), gradTable, accumulate);
    }

    SparseRows bagBackwardSparse(const BagIds& bags, std::int32_t padding, const Tensor& gradOutput,
                                 std::int64_t rows) override
    {
        const CudaContext::Timer timer(context_, "bag embedding backward");
        const std::int64_t dim = embeddingDim(gradOutput);
        const EmbeddingBagParams p =
            bagParams("bag embedding backward", bags, rows, dim, padding, gradOutput.dtype());
        requireGradient("bag embedding backward", gradOutput, p.bags, dim);
        return sumSorted(p.ids, bags.ids, gradOutput.data(), sources(p, bags));
    }

    Tensor dotInteractionForward(const Tensor& input) override
    {
        const CudaContext::Timer timer(context_, "dot interaction");
        const DotInteractionParams p = interactionParams(input);
        Tensor output = context_.make({p.B, p.width()}, p.dtype);
        cuda::dotInteractionForward(p, input.data(), output.data(),
                                    context_.device().sharedBytesPerBlock, context_.stream());
        return output;
    }

    Tensor dotInteractionBackward(const Tensor& input, const Tensor& gradOutput) override
    {
        const CudaContext::Timer timer(context_, "dot interaction backward");
        const DotInteractionParams p = interactionParams(input);
        requireDotInteractionGradient(p, gradOutput);
        Tensor gradInput = context_.make(input.shape(), p.dtype);
        cuda::dotInteractionBackward(p, input.data(), gradOutput.data(), gradInput.data(),
                                     context_.device().sharedBytesPerBlock, context_.stream());
        return gradInput;
    }

    SparseRows sumSparse(std::span<const SparseRows> parts, std::int64_t rows) override
    {
        const CudaContext::Timer timer(context_, "sum of sparse gradients");
        const auto [n, dim] = sparseTotal("sum of sparse gradients", parts);
        if (n == 0)
            return {};
        const Tensor ids = context_.make({n}, DType::I32);
        const Tensor values = context_.make({n, dim}, DType::F32);
        requireIds("sum of sparse gradients", ids, rows);
        std::int64_t done = 0;
        for (const SparseRows& part : parts) {
            if (part.empty())
                continue;
            context_.copy(part.rows.data(), at<std::int32_t>(ids) + done, part.rows.bytes());
            context_.copy(part.values.data(), at<float>(values) + done * dim, part.values.bytes());
            done += part.count();
        }
        return sumSorted(embeddingParams(ids, rows, dim, -1, DType::F32), ids, values.data(), {});
    }

private:
    /// Which row of the gradient belongs to each id of a bag, and its factor; undefined: the row of
    /// the id's position, 1.
    struct Sources {
        Tensor source, weight;
    };
    Sources sources(const EmbeddingBagParams& p, const BagIds& bags)
    {
        Sources s{context_.make({p.ids.n}, DType::I32), context_.make({p.bags}, DType::F32)};
        cuda::embeddingBagSources(
            p, at<const std::int32_t>(bags.ids), at<const std::int32_t>(bags.offsets),
            context_.badIndex("bag embedding offsets"), at<std::int32_t>(s.source),
            at<float>(s.weight), context_.stream());
        return s;
    }

    struct Sorted {
        Tensor keys, positions;
    };
    Sorted sorted(const EmbeddingParams& p, const Tensor& ids)
    {
        Sorted s{context_.make({p.n}, DType::I32), context_.make({p.n}, DType::I32)};
        cuda::sortIds(p.n, p.rows, at<const std::int32_t>(ids), p.padding,
                      context_.badIndex("embedding backward"), at<std::int32_t>(s.keys),
                      at<std::int32_t>(s.positions), context_.workspace(cuda::sortScratch(p.n)),
                      context_.stream());
        return s;
    }

    void sum(const EmbeddingParams& p, const Sorted& s, const std::int32_t* group, const void* dy,
             const Sources& from, const Tensor& out, bool accumulate)
    {
        const cuda::EmbeddingOrder order{at<const std::int32_t>(s.keys),
                                         at<const std::int32_t>(s.positions), group};
        cuda::embeddingSum(
            p, order, dy, from.source.defined() ? at<const std::int32_t>(from.source) : nullptr,
            from.weight.defined() ? at<const float>(from.weight) : nullptr, at<float>(out),
            accumulate, context_.workspace(cuda::embeddingSumScratch(p)), context_.stream());
    }

    void sumDense(const EmbeddingParams& p, const Tensor& ids, const void* dy, const Sources& from,
                  const Tensor& gradTable, bool accumulate)
    {
        if (!accumulate)
            context_.clear(gradTable.data(), gradTable.bytes());
        if (p.n > 0)
            sum(p, sorted(p, ids), nullptr, dy, from, gradTable, true);
    }

    /// Waits for the number of rows.
    SparseRows sumSorted(const EmbeddingParams& p, const Tensor& ids, const void* dy,
                         const Sources& from)
    {
        if (p.n == 0)
            return {};
        const Sorted s = sorted(p, ids);
        const Tensor group = context_.make({p.n}, DType::I32);
        const Tensor rows = context_.make({p.n}, DType::I32);
        const Tensor counter = context_.make({1}, DType::I32);
        cuda::embeddingGroups(p.n, p.rows, at<const std::int32_t>(s.keys), at<std::int32_t>(group),
                              at<std::int32_t>(rows), at<std::int32_t>(counter),
                              context_.workspace(cuda::scanScratch(p.n)), context_.stream());
        std::int32_t count = 0;
        context_.download(counter.data(), &count, sizeof count);
        if (count == 0)
            return {};
        SparseRows result{rows.firstRows(count), context_.make({count, p.dim}, DType::F32)};
        sum(p, s, at<const std::int32_t>(group), dy, from, result.values, false);
        return result;
    }

    CudaContext& context_;
};

} // namespace

std::unique_ptr<EmbeddingOps> makeEmbeddingOps(CudaContext& context)
{
    return std::make_unique<CudaEmbedding>(context);
}

} // namespace scalebench::cuda_backend
