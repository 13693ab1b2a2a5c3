// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/embedding.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "engine/backend/cuda/families.h"
#include "kernels/cuda/copy_rows.h"
#include "kernels/cuda/dot_interaction.h"
#include "kernels/cuda/embedding.h"
#include "kernels/cuda/joined_tables.h"
#include "kernels/cuda/scan.h"
#include "kernels/cuda/sort_ids.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

/// What ids and offsets hold is told later: see CudaContext::badIndex().
struct EmbeddingDevice {
    using Context = CudaContext;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    static constexpr auto copyRows = cuda::copyRows;

    static void requireIds(const std::string& op, const Tensor& ids, std::int64_t)
    {
        SB_REQUIRE(ids.onDevice() || ids.count() == 0,
                   op + ": ids " + ids.describe() + " must be in device memory");
    }

    static void requireOffsets(const char*, const EmbeddingBagParams&, const BagIds&) {}
};

class CudaEmbedding final : public EmbeddingFamily<EmbeddingDevice>
{
public:
    using EmbeddingFamily::EmbeddingFamily;

private:
    void lookUp(const char* op, std::int64_t n, std::span<const LookupTable> tables,
                const Tensor& output) override
    {
        for (std::size_t i = 0; i < tables.size(); i += cuda::kLookupTables)
            cuda::embeddingForward(
                n, tables.data() + i,
                int(std::min<std::size_t>(cuda::kLookupTables, tables.size() - i)), output.dtype(),
                output.shape().back(), context_.badIndex(op), output.data(), context_.stream());
    }

    void lookUpBags(const EmbeddingBagParams& p, const Tensor& table, const BagIds& bags,
                    const Tensor& output) override
    {
        cuda::embeddingBagForward(
            p, at<const float>(table), at<const std::int32_t>(bags.ids),
            at<const std::int32_t>(bags.offsets), context_.badIndex("bag embedding"),
            context_.badIndex("bag embedding offsets"), output.data(), context_.stream());
    }

    void sourcesOfBags(const EmbeddingBagParams& p, const BagIds& bags,
                       const Sources& sources) override
    {
        cuda::embeddingBagSources(
            p, at<const std::int32_t>(bags.ids), at<const std::int32_t>(bags.offsets),
            context_.badIndex("bag embedding offsets"), at<std::int32_t>(sources.source),
            at<float>(sources.weight), context_.stream());
    }

    void interact(const DotInteractionParams& p, const Tensor& input, const Tensor& output) override
    {
        cuda::dotInteractionForward(p, input.data(), output.data(),
                                    context_.device().sharedBytesPerBlock, context_.stream());
    }

    void interactBackward(const DotInteractionParams& p, const Tensor& input,
                          const Tensor& gradOutput, const Tensor& gradInput) override
    {
        cuda::dotInteractionBackward(p, input.data(), gradOutput.data(), gradInput.data(),
                                     context_.device().sharedBytesPerBlock, context_.stream());
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
                  const Tensor& gradTable, bool accumulate) override
    {
        if (!accumulate)
            context_.clear(gradTable.data(), gradTable.bytes());
        if (p.n > 0)
            sum(p, sorted(p, ids), nullptr, dy, from, gradTable, true);
    }

    /// Waits for the number of rows.
    SparseRows sumByRow(const EmbeddingParams& p, const Tensor& ids, const void* dy,
                        const Sources& from) override
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

    /// All tables with one sort, one sum and one wait for the numbers of rows, where their
    /// gradients are rows of one matrix.
    std::vector<SparseRows> sumColumns(std::span<const EmbeddingParams> params,
                                       std::span<const Tensor> ids, std::int64_t column,
                                       const Tensor& gradOutput) override
    {
        cuda::JoinedTables tables;
        EmbeddingParams whole;
        if (!join(params, ids, column, tables, whole))
            return EmbeddingFamily::sumColumns(params, ids, column, gradOutput);
        const std::int64_t n = params[0].n, dim = whole.dim;
        const Tensor joined = context_.make({whole.n}, DType::I32);
        const Tensor source = context_.make({whole.n}, DType::I32);
        cuda::joinIds(tables, n, params[0].rowStride() / dim, column / dim,
                      context_.badIndex("embedding backward"), at<std::int32_t>(joined),
                      at<std::int32_t>(source), context_.stream());
        const Sorted s = sorted(whole, joined);
        const Tensor rows = context_.make({whole.n}, DType::I32);
        const Tensor counts = context_.make({tables.count + 2}, DType::I32);
        auto* const starts = at<std::int32_t>(counts) + 1;
        cuda::embeddingGroups(whole.n, whole.rows, at<const std::int32_t>(s.keys),
                              at<std::int32_t>(joined), at<std::int32_t>(rows),
                              at<std::int32_t>(counts),
                              context_.workspace(cuda::scanScratch(whole.n)), context_.stream());
        cuda::splitRows(tables, whole.n, at<const std::int32_t>(counts), at<std::int32_t>(rows),
                        starts, context_.stream());
        std::vector<std::int32_t> start(std::size_t(tables.count) + 1);
        context_.download(starts, start.data(), start.size() * sizeof start[0]);
        const Tensor values = context_.make({start.back(), dim}, DType::F32);
        if (start.back() > 0)
            sum(whole, s, at<const std::int32_t>(joined), gradOutput.data(), {source, Tensor()},
                values, false);
        std::vector<SparseRows> sums;
        for (std::size_t t = 0; t < ids.size(); ++t)
            sums.push_back(start[t] < start[t + 1]
                               ? SparseRows{part(rows, start[t], start[t + 1], 1),
                                            part(values, start[t], start[t + 1], dim)}
                               : SparseRows());
        return sums;
    }

    static bool join(std::span<const EmbeddingParams> params, std::span<const Tensor> ids,
                     std::int64_t column, cuda::JoinedTables& tables, EmbeddingParams& whole)
    {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        if (ids.size() < 2 || ids.size() > std::size_t(cuda::kJoinedTables) || params[0].n == 0)
            return false;
        whole = params[0];
        tables.count = int(ids.size());
        std::int64_t rows = 0;
        for (std::size_t t = 0; t < ids.size(); ++t) {
            tables.ids[t] = at<const std::int32_t>(ids[t]);
            tables.firstRow[t] = rows;
            rows += params[t].rows;
        }
        tables.firstRow[ids.size()] = rows;
        whole.n = params[0].n * tables.count;
        whole.rows = rows;
        whole.padding = std::int32_t(std::min(rows, kMost)); // ids outside: noted by joinIds()
        const std::int64_t stride = params[0].rowStride(), dim = whole.dim;
        whole.stride = dim;
        return rows < kMost && whole.n < kMost && stride % dim == 0 && column % dim == 0 &&
               params[0].n * (stride / dim) < kMost;
    }

    /// Rows [begin, end) of a matrix of `width` columns; of a list where that is 1.
    static Tensor part(const Tensor& of, std::int64_t begin, std::int64_t end, std::int64_t width)
    {
        auto* const first =
            static_cast<char*>(of.data()) + std::size_t(begin * width) * dtypeBytes(of.dtype());
        Shape shape = of.shape();
        shape[0] = end - begin;
        return Tensor::view(first, std::move(shape), of.dtype(), std::make_shared<Tensor>(of),
                            true);
    }
};

} // namespace

std::unique_ptr<EmbeddingOps> makeEmbeddingOps(CudaContext& context)
{
    return std::make_unique<CudaEmbedding>(context);
}

} // namespace scalebench::cuda_backend
