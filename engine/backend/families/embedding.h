// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Embedding tables and the dot interaction: what is checked, made and given back, the same on every
// device. How rows are found and gradients summed is a device's own.

#include "engine/backend/embedding_arguments.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/check.h"

#include <cstddef>
#include <string>
#include <utility>

namespace scalebench {

/// Device: its Context (make, copy, launch, Timer), requireActivation, copyRows, and
///   requireIds(op, ids, rows)         what the host can know of them
///   requireOffsets(op, p, bags)       the same of where bags begin
template <class Device>
class EmbeddingFamily : public EmbeddingOps
{
protected:
    using Context = typename Device::Context;
    using Timer = typename Context::Timer;

    /// Which row of the gradient belongs to each id, and the factor of each such row; undefined:
    /// the row of the id's position, 1.
    struct Sources {
        Tensor source, weight;
    };

public:
    explicit EmbeddingFamily(Context& context) : context_(context) {}

    Tensor embeddingForward(const Tensor& table, const Tensor& ids, DType dtype) final
    {
        const Timer timer(context_, "embedding");
        requireEmbeddingTable("embedding", table);
        requireIds("embedding", ids, table.dim(0));
        Shape shape = ids.shape();
        shape.push_back(table.dim(1));
        Tensor output = context_.make(std::move(shape), dtype);
        Device::requireActivation("embedding", output, 0);
        timer.work(0, double(output.count()) * 4 + double(output.bytes()));
        lookUp("embedding", ids.count(), lookupTables({&table, 1}, {&ids, 1}, 0), output);
        return output;
    }

    void embeddingBackward(const Tensor& ids, std::int32_t padding, const Tensor& gradOutput,
                           Tensor gradTable, bool accumulate) final
    {
        const Timer timer(context_, "embedding backward");
        requireEmbeddingTable("embedding backward", gradTable);
        requireIds("embedding backward", ids, gradTable.dim(0));
        requireGradient("embedding backward", gradOutput, ids.count(), gradTable.dim(1));
        sumDense(
            embeddingParams(ids, gradTable.dim(0), gradTable.dim(1), padding, gradOutput.dtype()),
            ids, gradOutput.data(), {}, gradTable, accumulate);
    }

    SparseRows embeddingBackwardSparse(const Tensor& ids, std::int32_t padding,
                                       const Tensor& gradOutput, std::int64_t rows) final
    {
        const Timer timer(context_, "embedding backward");
        requireIds("embedding backward", ids, rows);
        const std::int64_t dim = embeddingDim(gradOutput);
        requireGradient("embedding backward", gradOutput, ids.count(), dim);
        return sumByRow(embeddingParams(ids, rows, dim, padding, gradOutput.dtype()), ids,
                        gradOutput.data(), {});
    }

    void rowsForward(const Tensor& table, const Tensor& ids, Tensor output) final
    {
        const Timer timer(context_, "embedding");
        requireEmbeddingTable("embedding", table);
        requireIds("embedding", ids, table.dim(0));
        Device::requireActivation("embedding", output, 2);
        requireRows(table, ids, output);
        lookUp("embedding", ids.count(), lookupTables({&table, 1}, {&ids, 1}, 0), output);
    }

    SparseRows rowsBackwardSparse(const Tensor& ids, const Tensor& source, const Tensor& gradOutput,
                                  std::int64_t rows) final
    {
        const Timer timer(context_, "embedding backward");
        requireIds("embedding backward", ids, rows);
        Device::requireActivation("embedding backward", gradOutput, 2);
        requireSources(ids, source);
        return sumByRow(
            embeddingParams(ids, rows, embeddingDim(gradOutput), -1, gradOutput.dtype()), ids,
            gradOutput.data(), {source, Tensor()});
    }

    Tensor columnsForward(std::span<const Tensor> tables, std::span<const Tensor> ids, DType dtype,
                          const Tensor& front) final
    {
        const Timer timer(context_, "embedding");
        const char* op = "embedding of several tables";
        const std::int64_t looked = embeddingColumns(op, tables, ids), n = ids[0].count();
        const std::int64_t before = frontColumns(op, front, n, dtype), width = before + looked;
        for (std::size_t i = 0; i < tables.size(); ++i)
            requireIds(op, ids[i], tables[i].dim(0));
        Tensor output = context_.make({n, width}, dtype);
        Device::requireActivation(op, output, 2);
        timer.work(0, double(n * looked) * 4 + double(output.bytes()));
        const std::size_t bytes = std::size_t(before) * dtypeBytes(dtype);
        if (before > 0)
            context_.launch(Device::copyRows, n, bytes, front.data(), bytes, output.data(),
                            std::size_t(width) * dtypeBytes(dtype));
        lookUp(op, n, lookupTables(tables, ids, before), output);
        return output;
    }

    void columnsBackward(const Tensor& ids, std::int64_t column, const Tensor& gradOutput,
                         Tensor gradTable, bool accumulate) final
    {
        const Timer timer(context_, "embedding backward");
        requireEmbeddingTable("embedding backward", gradTable);
        sumDense(columnParams(ids, column, gradOutput, gradTable.dim(0), gradTable.dim(1)), ids,
                 columnsOf(gradOutput, column), {}, gradTable, accumulate);
    }

    SparseRows columnsBackwardSparse(const Tensor& ids, std::int64_t column,
                                     const Tensor& gradOutput, std::int64_t rows,
                                     std::int64_t dim) final
    {
        const Timer timer(context_, "embedding backward");
        return sumByRow(columnParams(ids, column, gradOutput, rows, dim), ids,
                        columnsOf(gradOutput, column), {});
    }

    std::vector<SparseRows> columnsBackwardSparse(std::span<const Tensor> ids, std::int64_t column,
                                                  const Tensor& gradOutput,
                                                  std::span<const std::int64_t> rows,
                                                  std::int64_t dim) final
    {
        const Timer timer(context_, "embedding backward");
        SB_REQUIRE(ids.size() == rows.size(), "embedding backward: ids and rows of other tables");
        std::vector<EmbeddingParams> params;
        for (std::size_t t = 0; t < ids.size(); ++t)
            params.push_back(
                columnParams(ids[t], column + std::int64_t(t) * dim, gradOutput, rows[t], dim));
        return sumColumns(params, ids, column, gradOutput);
    }

    Tensor bagForward(const Tensor& table, const BagIds& bags, std::int32_t padding,
                      DType dtype) final
    {
        const Timer timer(context_, "bag embedding");
        requireEmbeddingTable("bag embedding", table);
        const EmbeddingBagParams p =
            bagParams("bag embedding", bags, table.dim(0), table.dim(1), padding, dtype);
        Tensor output = context_.make({p.bags, table.dim(1)}, dtype);
        Device::requireActivation("bag embedding", output, 2);
        lookUpBags(p, table, bags, output);
        return output;
    }

    void bagBackward(const BagIds& bags, std::int32_t padding, const Tensor& gradOutput,
                     Tensor gradTable, bool accumulate) final
    {
        const Timer timer(context_, "bag embedding backward");
        requireEmbeddingTable("bag embedding backward", gradTable);
        const EmbeddingBagParams p = bagParams("bag embedding backward", bags, gradTable.dim(0),
                                               gradTable.dim(1), padding, gradOutput.dtype());
        requireGradient("bag embedding backward", gradOutput, p.bags, gradTable.dim(1));
        sumDense(p.ids, bags.ids, gradOutput.data(), sources(p, bags), gradTable, accumulate);
    }

    SparseRows bagBackwardSparse(const BagIds& bags, std::int32_t padding, const Tensor& gradOutput,
                                 std::int64_t rows) final
    {
        const Timer timer(context_, "bag embedding backward");
        const std::int64_t dim = embeddingDim(gradOutput);
        const EmbeddingBagParams p =
            bagParams("bag embedding backward", bags, rows, dim, padding, gradOutput.dtype());
        requireGradient("bag embedding backward", gradOutput, p.bags, dim);
        return sumByRow(p.ids, bags.ids, gradOutput.data(), sources(p, bags));
    }

    Tensor dotInteractionForward(const Tensor& input) final
    {
        const Timer timer(context_, "dot interaction");
        const DotInteractionParams p = interactionParams(input);
        timer.work(2.0 * double(p.B * p.pairs() * p.D), 0);
        Tensor output = context_.make({p.B, p.width()}, p.dtype);
        interact(p, input, output);
        return output;
    }

    Tensor dotInteractionBackward(const Tensor& input, const Tensor& gradOutput) final
    {
        const Timer timer(context_, "dot interaction backward");
        const DotInteractionParams p = interactionParams(input);
        requireDotInteractionGradient(p, gradOutput);
        timer.work(4.0 * double(p.B * p.pairs() * p.D), 0);
        Tensor gradInput = context_.make(input.shape(), p.dtype);
        interactBackward(p, input, gradOutput, gradInput);
        return gradInput;
    }

    SparseRows sumSparse(std::span<const SparseRows> parts, std::int64_t rows) final
    {
        const char* op = "sum of sparse gradients";
        const Timer timer(context_, op);
        const auto [n, dim] = sparseTotal(op, parts);
        if (n == 0)
            return {};
        const Tensor ids = context_.make({n}, DType::I32);
        const Tensor values = context_.make({n, dim}, DType::F32);
        std::int64_t done = 0;
        for (const SparseRows& part : parts) {
            if (part.empty())
                continue;
            context_.copy(part.rows.data(), ids.i32().data() + done, part.rows.bytes());
            context_.copy(part.values.data(), values.f32().data() + done * dim,
                          part.values.bytes());
            done += part.count();
        }
        requireIds(op, ids, rows);
        return sumByRow(embeddingParams(ids, rows, dim, -1, DType::F32), ids, values.data(), {});
    }

private:
    /// Rows of each of `tables` go side by side into output's, of which there are n.
    virtual void lookUp(const char* op, std::int64_t n, std::span<const LookupTable> tables,
                        const Tensor& output) = 0;
    virtual void lookUpBags(const EmbeddingBagParams& p, const Tensor& table, const BagIds& bags,
                            const Tensor& output) = 0;
    /// Fills `sources` for p.ids.n ids in p.bags bags.
    virtual void sourcesOfBags(const EmbeddingBagParams& p, const BagIds& bags,
                               const Sources& sources) = 0;
    /// gradTable is overwritten, or added to with `accumulate`.
    virtual void sumDense(const EmbeddingParams& p, const Tensor& ids, const void* dy,
                          const Sources& from, const Tensor& gradTable, bool accumulate) = 0;
    virtual SparseRows sumByRow(const EmbeddingParams& p, const Tensor& ids, const void* dy,
                                const Sources& from) = 0;
    virtual void interact(const DotInteractionParams& p, const Tensor& input,
                          const Tensor& output) = 0;
    virtual void interactBackward(const DotInteractionParams& p, const Tensor& input,
                                  const Tensor& gradOutput, const Tensor& gradInput) = 0;

    static void requireIds(const char* op, const Tensor& ids, std::int64_t rows)
    {
        requireEmbeddingIds(op, ids, rows);
        Device::requireIds(op, ids, rows);
    }

    static void requireGradient(const char* op, const Tensor& gradOutput, std::int64_t n,
                                std::int64_t dim)
    {
        Device::requireActivation(op, gradOutput, 0);
        requireEmbeddingGradient(op, gradOutput, n, dim);
    }

    static EmbeddingParams columnParams(const Tensor& ids, std::int64_t column,
                                        const Tensor& gradOutput, std::int64_t rows,
                                        std::int64_t dim)
    {
        Device::requireActivation("embedding backward", gradOutput, 2);
        requireIds("embedding backward", ids, rows);
        return embeddingColumnParams(ids, column, gradOutput, rows, dim);
    }

    static EmbeddingBagParams bagParams(const char* op, const BagIds& bags, std::int64_t rows,
                                        std::int64_t dim, std::int32_t padding, DType dtype)
    {
        requireIds(op, bags.ids, rows);
        const EmbeddingBagParams p = embeddingBagParams(op, bags, rows, dim, padding, dtype);
        Device::requireOffsets(op, p, bags);
        return p;
    }

    static DotInteractionParams interactionParams(const Tensor& input)
    {
        Device::requireActivation("dot interaction", input, 3);
        return dotInteractionParams(input);
    }

    Sources sources(const EmbeddingBagParams& p, const BagIds& bags)
    {
        Sources s{context_.make({p.ids.n}, DType::I32), context_.make({p.bags}, DType::F32)};
        sourcesOfBags(p, bags, s);
        return s;
    }

protected:
    /// Of neighbouring tables, whose gradients begin at `column`.
    virtual std::vector<SparseRows> sumColumns(std::span<const EmbeddingParams> params,
                                               std::span<const Tensor> ids, std::int64_t column,
                                               const Tensor& gradOutput)
    {
        std::vector<SparseRows> sums;
        for (std::size_t t = 0; t < ids.size(); ++t) {
            sums.push_back(sumByRow(params[t], ids[t], columnsOf(gradOutput, column), {}));
            column += params[t].dim;
        }
        return sums;
    }

    Context& context_;
};

} // namespace scalebench
