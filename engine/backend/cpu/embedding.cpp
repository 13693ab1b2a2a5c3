// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include <cstring>

#include "engine/backend/embedding_arguments.h"
#include "kernels/copy_rows.h"
#include "kernels/dot_interaction.h"
#include "kernels/embedding.h"
#include "kernels/embedding_bag.h"
#include "kernels/matmul.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

/// Also what they hold.
void requireIds(const std::string& op, const Tensor& ids, std::int64_t rows)
{
    requireEmbeddingIds(op, ids, rows);
    const std::int64_t bad = cpu::embeddingFirstOutside(ids.count(), rows, ids.i32().data());
    SB_REQUIRE(bad < 0, op + ": id " + std::to_string(ids.i32()[std::size_t(bad)]) +
                            " at position " + std::to_string(bad) + " of " + ids.describe() +
                            " is outside a table of " + std::to_string(rows) + " rows");
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
    const EmbeddingBagParams p = embeddingBagParams(op, bags, rows, dim, padding, dtype);
    SB_REQUIRE(cpu::embeddingBagOffsetsValid(p, bags.offsets.i32().data()),
               std::string(op) + ": offsets " + bags.offsets.describe() +
                   " must start at 0, never fall and end within " + bags.ids.describe());
    return p;
}

DotInteractionParams interactionParams(const Tensor& input)
{
    requireActivation("dot interaction", input, 3);
    return dotInteractionParams(input);
}

class CpuEmbedding final : public EmbeddingOps
{
public:
    explicit CpuEmbedding(CpuContext& context) : context_(context) {}

    Tensor embeddingForward(const Tensor& table, const Tensor& ids, DType dtype) override
    {
        const CpuContext::Timer timer(context_, "embedding");
        requireEmbeddingTable("embedding", table);
        requireIds("embedding", ids, table.dim(0));
        Shape shape = ids.shape();
        shape.push_back(table.dim(1));
        Tensor output = context_.make(std::move(shape), dtype);
        requireActivation("embedding", output, 0);
        timer.work(0, double(output.count()) * 4 + double(output.bytes()));
        cpu::embeddingForward(embeddingParams(ids, table.dim(0), table.dim(1), -1, dtype),
                              table.f32().data(), ids.i32().data(), output.data());
        return output;
    }

    void embeddingBackward(const Tensor& ids, std::int32_t padding, const Tensor& gradOutput,
                           Tensor gradTable, bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "embedding backward");
        requireEmbeddingTable("embedding backward", gradTable);
        requireIds("embedding backward", ids, gradTable.dim(0));
        requireGradient("embedding backward", gradOutput, ids.count(), gradTable.dim(1));
        cpu::embeddingBackwardDense(
            embeddingParams(ids, gradTable.dim(0), gradTable.dim(1), padding, gradOutput.dtype()),
            ids.i32().data(), gradOutput.data(), nullptr, nullptr, gradTable.f32().data(),
            accumulate);
    }

    SparseRows embeddingBackwardSparse(const Tensor& ids, std::int32_t padding,
                                       const Tensor& gradOutput, std::int64_t rows) override
    {
        const CpuContext::Timer timer(context_, "embedding backward");
        requireIds("embedding backward", ids, rows);
        const std::int64_t dim = embeddingDim(gradOutput);
        requireGradient("embedding backward", gradOutput, ids.count(), dim);
        return groupAndSum(embeddingParams(ids, rows, dim, padding, gradOutput.dtype()),
                           ids.i32().data(), gradOutput.data(), nullptr, nullptr);
    }

    void rowsForward(const Tensor& table, const Tensor& ids, Tensor output) override
    {
        const CpuContext::Timer timer(context_, "embedding");
        requireEmbeddingTable("embedding", table);
        requireIds("embedding", ids, table.dim(0));
        requireActivation("embedding", output, 2);
        requireRows(table, ids, output);
        cpu::embeddingForward(embeddingParams(ids, table.dim(0), table.dim(1), -1, output.dtype()),
                              table.f32().data(), ids.i32().data(), output.data());
    }

    SparseRows rowsBackwardSparse(const Tensor& ids, const Tensor& source, const Tensor& gradOutput,
                                  std::int64_t rows) override
    {
        const CpuContext::Timer timer(context_, "embedding backward");
        requireIds("embedding backward", ids, rows);
        requireActivation("embedding backward", gradOutput, 2);
        requireSources(ids, source);
        return groupAndSum(
            embeddingParams(ids, rows, embeddingDim(gradOutput), -1, gradOutput.dtype()),
            ids.i32().data(), gradOutput.data(), source.i32().data(), nullptr);
    }

    Tensor columnsForward(std::span<const Tensor> tables, std::span<const Tensor> ids, DType dtype,
                          const Tensor& front) override
    {
        const CpuContext::Timer timer(context_, "embedding");
        const char* op = "embedding of several tables";
        const std::int64_t looked = embeddingColumns(op, tables, ids), n = ids[0].count();
        std::int64_t column = frontColumns(op, front, n, dtype);
        const std::int64_t width = column + looked;
        for (std::size_t i = 0; i < tables.size(); ++i)
            requireIds(op, ids[i], tables[i].dim(0));
        Tensor output = context_.make({n, width}, dtype);
        requireActivation(op, output, 2);
        timer.work(0, double(n * looked) * 4 + double(output.bytes()));
        if (column > 0)
            cpu::copyRows(n, std::size_t(column) * dtypeBytes(dtype), front.data(),
                          std::size_t(column) * dtypeBytes(dtype), output.data(),
                          std::size_t(width) * dtypeBytes(dtype));
        for (std::size_t i = 0; i < tables.size(); ++i) {
            EmbeddingParams p =
                embeddingParams(ids[i], tables[i].dim(0), tables[i].dim(1), -1, dtype);
            p.stride = width;
            cpu::embeddingForward(p, tables[i].f32().data(), ids[i].i32().data(),
                                  columnsOf(output, column));
            column += p.dim;
        }
        return output;
    }

    void columnsBackward(const Tensor& ids, std::int64_t column, const Tensor& gradOutput,
                         Tensor gradTable, bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "embedding backward");
        requireEmbeddingTable("embedding backward", gradTable);
        const EmbeddingParams p =
            columnParams(ids, column, gradOutput, gradTable.dim(0), gradTable.dim(1));
        cpu::embeddingBackwardDense(p, ids.i32().data(), columnsOf(gradOutput, column), nullptr,
                                    nullptr, gradTable.f32().data(), accumulate);
    }

    SparseRows columnsBackwardSparse(const Tensor& ids, std::int64_t column,
                                     const Tensor& gradOutput, std::int64_t rows,
                                     std::int64_t dim) override
    {
        const CpuContext::Timer timer(context_, "embedding backward");
        return groupAndSum(columnParams(ids, column, gradOutput, rows, dim), ids.i32().data(),
                           columnsOf(gradOutput, column), nullptr, nullptr);
    }

    Tensor bagForward(const Tensor& table, const BagIds& bags, std::int32_t padding,
                      DType dtype) override
    {
        const CpuContext::Timer timer(context_, "bag embedding");
        requireEmbeddingTable("bag embedding", table);
        const EmbeddingBagParams p =
            bagParams("bag embedding", bags, table.dim(0), table.dim(1), padding, dtype);
        Tensor output = context_.make({p.bags, table.dim(1)}, dtype);
        requireActivation("bag embedding", output, 2);
        cpu::embeddingBagForward(p, table.f32().data(), bags.ids.i32().data(),
                                 bags.offsets.i32().data(), output.data());
        return output;
    }

    void bagBackward(const BagIds& bags, std::int32_t padding, const Tensor& gradOutput,
                     Tensor gradTable, bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "bag embedding backward");
        requireEmbeddingTable("bag embedding backward", gradTable);
        const EmbeddingBagParams p = bagParams("bag embedding backward", bags, gradTable.dim(0),
                                               gradTable.dim(1), padding, gradOutput.dtype());
        requireGradient("bag embedding backward", gradOutput, p.bags, gradTable.dim(1));
        const Sources s = sources(p, bags);
        cpu::embeddingBackwardDense(p.ids, bags.ids.i32().data(), gradOutput.data(),
                                    s.source.i32().data(), s.weight.f32().data(),
                                    gradTable.f32().data(), accumulate);
    }

    SparseRows bagBackwardSparse(const BagIds& bags, std::int32_t padding, const Tensor& gradOutput,
                                 std::int64_t rows) override
    {
        const CpuContext::Timer timer(context_, "bag embedding backward");
        const std::int64_t dim = embeddingDim(gradOutput);
        const EmbeddingBagParams p =
            bagParams("bag embedding backward", bags, rows, dim, padding, gradOutput.dtype());
        requireGradient("bag embedding backward", gradOutput, p.bags, dim);
        const Sources s = sources(p, bags);
        return groupAndSum(p.ids, bags.ids.i32().data(), gradOutput.data(), s.source.i32().data(),
                           s.weight.f32().data());
    }

    Tensor dotInteractionForward(const Tensor& input) override
    {
        const CpuContext::Timer timer(context_, "dot interaction");
        const DotInteractionParams p = interactionParams(input);
        timer.work(2.0 * double(p.B * p.pairs() * p.D), 0);
        Tensor output = context_.make({p.B, p.width()}, p.dtype);
        if (output.count() == 0)
            return output;
        if (p.dtype == DType::F32) {
            cpu::dotInteractionForward(p, input.f32().data(), output.f32().data());
            return output;
        }
        // x x^T of every sample, then the lower triangle.
        const Tensor products = context_.make({p.B, p.F, p.F}, p.dtype);
        MatmulParams m = batched(p, p.F, p.F, p.D);
        m.transB = true;
        m.strideA.outer = m.strideB.outer = p.F * p.D;
        m.strideC.outer = p.F * p.F;
        run(m, input.data(), input.data(), products.data());
        cpu::dotInteractionPairs(p, input.bf16().data(), products.bf16().data(),
                                 output.bf16().data());
        return output;
    }

    Tensor dotInteractionBackward(const Tensor& input, const Tensor& gradOutput) override
    {
        const CpuContext::Timer timer(context_, "dot interaction backward");
        const DotInteractionParams p = interactionParams(input);
        requireDotInteractionGradient(p, gradOutput);
        timer.work(4.0 * double(p.B * p.pairs() * p.D), 0);
        Tensor gradInput = context_.make(input.shape(), p.dtype);
        if (input.count() == 0)
            return gradInput;
        if (p.dtype == DType::F32) {
            cpu::dotInteractionBackward(p, input.f32().data(), gradOutput.f32().data(),
                                        gradInput.f32().data());
            return gradInput;
        }
        const Tensor symmetric = context_.make({p.B, p.F, p.F}, p.dtype);
        cpu::dotInteractionSymmetric(p, gradOutput.bf16().data(), symmetric.bf16().data());
        MatmulParams m = batched(p, p.F, p.D, p.F);
        m.strideA.outer = p.F * p.F;
        m.strideB.outer = m.strideC.outer = p.F * p.D;
        run(m, symmetric.data(), input.data(), gradInput.data());
        cpu::dotInteractionAddDense(p, gradOutput.bf16().data(), gradInput.bf16().data());
        return gradInput;
    }

    SparseRows sumSparse(std::span<const SparseRows> parts, std::int64_t rows) override
    {
        const CpuContext::Timer timer(context_, "sum of sparse gradients");
        const auto [n, dim] = sparseTotal("sum of sparse gradients", parts);
        if (n == 0)
            return {};
        const Tensor ids = context_.make({n}, DType::I32);
        const Tensor values = context_.make({n, dim}, DType::F32);
        std::int64_t at = 0;
        for (const SparseRows& part : parts) {
            if (part.empty())
                continue;
            std::memcpy(ids.i32().data() + at, part.rows.i32().data(), part.rows.bytes());
            std::memcpy(values.f32().data() + at * dim, part.values.data(), part.values.bytes());
            at += part.count();
        }
        requireIds("sum of sparse gradients", ids, rows);
        return groupAndSum(embeddingParams(ids, rows, dim, -1, DType::F32), ids.i32().data(),
                           values.data(), nullptr, nullptr);
    }

private:
    static MatmulParams batched(const DotInteractionParams& p, std::int64_t M, std::int64_t N,
                                std::int64_t K)
    {
        MatmulParams m;
        m.M = M, m.N = N, m.K = K;
        m.outerBatch = p.B;
        m.inputType = m.outputType = p.dtype;
        return m;
    }

    void run(const MatmulParams& m, const void* a, const void* b, void* c)
    {
        const cpu::MatmulPlan& plan = plans_.get(m, [&] { return cpu::MatmulPlan(m); });
        plan.run(a, b, nullptr, c, context_.workspace(plan.workspaceBytes()));
    }

    struct Sources {
        Tensor source, weight;
    };

    Sources sources(const EmbeddingBagParams& p, const BagIds& bags)
    {
        Sources s{context_.make({p.ids.n}, DType::I32), context_.make({p.bags}, DType::F32)};
        cpu::embeddingBagSources(p, bags.ids.i32().data(), bags.offsets.i32().data(),
                                 s.source.i32().data(), s.weight.f32().data());
        return s;
    }

    SparseRows groupAndSum(const EmbeddingParams& p, const std::int32_t* ids, const void* dy,
                           const std::int32_t* source, const float* weight)
    {
        const Tensor rows = context_.make({p.n}, DType::I32);
        const Tensor begin = context_.make({p.n + 1}, DType::I32);
        const Tensor entry = context_.make({p.n}, DType::I32);
        EmbeddingGroups groups{rows.i32().data(), begin.i32().data(), entry.i32().data(), 0};
        cpu::embeddingGroup(p, ids, groups,
                            context_.workspace(cpu::embeddingGroupScratchBytes(p.n)));
        if (groups.count == 0)
            return {};
        SparseRows result{rows.firstRows(groups.count),
                          context_.make({groups.count, p.dim}, DType::F32)};
        cpu::embeddingBackwardSparse(p, groups, dy, source, weight, result.values.f32().data());
        return result;
    }

    CpuContext& context_;
    PlanCache<MatmulParams, cpu::MatmulPlan> plans_;
};

} // namespace

std::unique_ptr<EmbeddingOps> makeEmbeddingOps(CpuContext& context)
{
    return std::make_unique<CpuEmbedding>(context);
}

} // namespace scalebench::cpu_backend
