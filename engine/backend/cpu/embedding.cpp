// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include <cstring>
#include <limits>
#include <map>

#include "kernels/dot_interaction.h"
#include "kernels/embedding.h"
#include "kernels/embedding_bag.h"
#include "kernels/matmul.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

constexpr std::int64_t kMaxCount = std::numeric_limits<std::int32_t>::max();

void requireIds(const std::string& op, const Tensor& ids, std::int64_t rows)
{
    SB_REQUIRE(ids.defined() && ids.dtype() == DType::I32,
               op + ": ids must be i32, not " + ids.describe());
    if (ids.count() > kMaxCount || rows > kMaxCount)
        throw Unsupported(op + ": " + ids.describe() + " on a table of " + std::to_string(rows) +
                          " rows: both are counted in 31 bits");
    const std::int64_t bad = cpu::embeddingFirstOutside(ids.count(), rows, ids.i32().data());
    SB_REQUIRE(bad < 0, op + ": id " + std::to_string(ids.i32()[std::size_t(bad)]) +
                            " at position " + std::to_string(bad) + " of " + ids.describe() +
                            " is outside a table of " + std::to_string(rows) + " rows");
}

void requireTable(const std::string& op, const Tensor& table)
{
    SB_REQUIRE(table.defined() && table.dtype() == DType::F32 && table.shape().size() == 2,
               op + ": the table must be f32 [rows,dim], not " + table.describe());
}

class CpuEmbedding final : public EmbeddingOps
{
public:
    explicit CpuEmbedding(CpuContext& context) : context_(context) {}

    Tensor embeddingForward(const Tensor& table, const Tensor& ids, DType dtype) override
    {
        const CpuContext::Timer timer(context_, "embedding");
        requireTable("embedding", table);
        requireIds("embedding", ids, table.dim(0));
        Shape shape = ids.shape();
        shape.push_back(table.dim(1));
        Tensor output = context_.make(std::move(shape), dtype);
        requireActivation("embedding", output, 0);
        cpu::embeddingForward(params(ids, table.dim(0), table.dim(1), -1, dtype),
                              table.f32().data(), ids.i32().data(), output.data());
        return output;
    }

    void embeddingBackward(const Tensor& ids, std::int32_t padding, const Tensor& gradOutput,
                           Tensor gradTable, bool accumulate) override
    {
        const CpuContext::Timer timer(context_, "embedding backward");
        requireTable("embedding backward", gradTable);
        requireIds("embedding backward", ids, gradTable.dim(0));
        requireGradient("embedding backward", gradOutput, ids.count(), gradTable.dim(1));
        cpu::embeddingBackwardDense(
            params(ids, gradTable.dim(0), gradTable.dim(1), padding, gradOutput.dtype()),
            ids.i32().data(), gradOutput.data(), nullptr, nullptr, gradTable.f32().data(),
            accumulate);
    }

    SparseRows embeddingBackwardSparse(const Tensor& ids, std::int32_t padding,
                                       const Tensor& gradOutput, std::int64_t rows) override
    {
        const CpuContext::Timer timer(context_, "embedding backward");
        requireIds("embedding backward", ids, rows);
        const std::int64_t dim = lastAxis(gradOutput);
        requireGradient("embedding backward", gradOutput, ids.count(), dim);
        return groupAndSum(params(ids, rows, dim, padding, gradOutput.dtype()), ids.i32().data(),
                           gradOutput.data(), nullptr, nullptr);
    }

    Tensor columnsForward(std::span<const Tensor> tables, std::span<const Tensor> ids,
                          DType dtype) override
    {
        const CpuContext::Timer timer(context_, "embedding");
        SB_REQUIRE(!tables.empty() && tables.size() == ids.size(),
                   "embedding of several tables: " + std::to_string(tables.size()) +
                       " tables and ids for " + std::to_string(ids.size()));
        std::int64_t width = 0;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            requireTable("embedding of several tables", tables[i]);
            requireIds("embedding of several tables", ids[i], tables[i].dim(0));
            SB_REQUIRE(ids[i].count() == ids[0].count(),
                       "embedding of several tables: " + ids[0].describe() + " and " +
                           ids[i].describe() + " ids");
            width += tables[i].dim(1);
        }
        Tensor output = context_.make({ids[0].count(), width}, dtype);
        requireActivation("embedding of several tables", output, 2);
        std::int64_t column = 0;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            EmbeddingParams p = params(ids[i], tables[i].dim(0), tables[i].dim(1), -1, dtype);
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
        requireTable("embedding backward", gradTable);
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
        requireTable("bag embedding", table);
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
        requireTable("bag embedding backward", gradTable);
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
        const std::int64_t dim = lastAxis(gradOutput);
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
        Tensor output = context_.make({p.B, p.width()}, p.dtype);
        if (output.count() == 0)
            return output;
        // x x^T of every sample, then the lower triangle.
        const Tensor products = context_.make({p.B, p.F, p.F}, p.dtype);
        MatmulParams m = batched(p, p.F, p.F, p.D);
        m.transB = true;
        m.strideA.outer = m.strideB.outer = p.F * p.D;
        m.strideC.outer = p.F * p.F;
        run(m, input.data(), input.data(), products.data());
        cpu::dotInteractionForward(p, input.data(), products.data(), output.data());
        return output;
    }

    Tensor dotInteractionBackward(const Tensor& input, const Tensor& gradOutput) override
    {
        const CpuContext::Timer timer(context_, "dot interaction backward");
        const DotInteractionParams p = interactionParams(input);
        SB_REQUIRE(gradOutput.dtype() == p.dtype && gradOutput.shape() == Shape({p.B, p.width()}),
                   "dot interaction backward: gradient " + gradOutput.describe() +
                       " does not belong to an input " + input.describe());
        Tensor gradInput = context_.make(input.shape(), p.dtype);
        if (input.count() == 0)
            return gradInput;
        const Tensor symmetric = context_.make({p.B, p.F, p.F}, p.dtype);
        cpu::dotInteractionSymmetric(p, gradOutput.data(), symmetric.data());
        MatmulParams m = batched(p, p.F, p.D, p.F);
        m.strideA.outer = p.F * p.F;
        m.strideB.outer = m.strideC.outer = p.F * p.D;
        run(m, symmetric.data(), input.data(), gradInput.data());
        cpu::dotInteractionAddDense(p, gradOutput.data(), gradInput.data());
        return gradInput;
    }

    SparseRows sumSparse(std::span<const SparseRows> parts, std::int64_t rows) override
    {
        const CpuContext::Timer timer(context_, "sum of sparse gradients");
        std::int64_t n = 0, dim = 0;
        for (const SparseRows& part : parts) {
            if (part.empty())
                continue;
            dim = dim == 0 ? lastAxis(part.values) : dim;
            SB_REQUIRE(part.values.dtype() == DType::F32 && part.values.shape().size() == 2 &&
                           part.values.dim(0) == part.rows.count() && part.values.dim(1) == dim,
                       "sum of sparse gradients: " + part.values.describe() + " for " +
                           part.rows.describe() + " rows of " + std::to_string(dim));
            n += part.count();
        }
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
        return groupAndSum(params(ids, rows, dim, -1, DType::F32), ids.i32().data(), values.data(),
                           nullptr, nullptr);
    }

private:
    static DotInteractionParams interactionParams(const Tensor& input)
    {
        requireActivation("dot interaction", input, 3);
        SB_REQUIRE(input.dim(1) > 0 && input.dim(2) > 0,
                   "dot interaction: no vectors in " + input.describe());
        return {input.dim(0), input.dim(1), input.dim(2), input.dtype()};
    }

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
        auto it = plans_.find(m);
        if (it == plans_.end())
            it = plans_.emplace(m, cpu::MatmulPlan(m)).first;
        it->second.run(a, b, nullptr, c, context_.workspace(it->second.workspaceBytes()));
    }

    struct Sources {
        Tensor source, weight;
    };

    static std::int64_t lastAxis(const Tensor& t)
    {
        SB_REQUIRE(t.defined() && !t.shape().empty(), "embedding gradient: no tensor");
        return t.shape().back();
    }

    static char* columnsOf(const Tensor& t, std::int64_t column)
    {
        return static_cast<char*>(t.data()) + std::size_t(column) * dtypeBytes(t.dtype());
    }

    static EmbeddingParams columnParams(const Tensor& ids, std::int64_t column,
                                        const Tensor& gradOutput, std::int64_t rows,
                                        std::int64_t dim)
    {
        requireActivation("embedding backward", gradOutput, 2);
        requireIds("embedding backward", ids, rows);
        SB_REQUIRE(gradOutput.dim(0) == ids.count() && column >= 0 &&
                       column + dim <= gradOutput.dim(1),
                   "embedding backward: gradient " + gradOutput.describe() + " for " +
                       ids.describe() + " ids and columns " + std::to_string(column) + " to " +
                       std::to_string(column + dim));
        EmbeddingParams p = params(ids, rows, dim, -1, gradOutput.dtype());
        p.stride = gradOutput.dim(1);
        return p;
    }

    static EmbeddingParams params(const Tensor& ids, std::int64_t rows, std::int64_t dim,
                                  std::int32_t padding, DType dtype)
    {
        return {ids.count(), rows, dim, padding, dtype, 0};
    }

    static void requireGradient(const char* op, const Tensor& gradOutput, std::int64_t n,
                                std::int64_t dim)
    {
        requireActivation(op, gradOutput, 0);
        SB_REQUIRE(gradOutput.count() == n * dim,
                   std::string(op) + ": gradient " + gradOutput.describe() + " must hold " +
                       std::to_string(n) + " rows of " + std::to_string(dim));
    }

    static EmbeddingBagParams bagParams(const char* op, const BagIds& bags, std::int64_t rows,
                                        std::int64_t dim, std::int32_t padding, DType dtype)
    {
        requireIds(op, bags.ids, rows);
        SB_REQUIRE(bags.offsets.defined() && bags.offsets.dtype() == DType::I32,
                   std::string(op) + ": offsets must be i32, not " + bags.offsets.describe());
        const EmbeddingBagParams p{params(bags.ids, rows, dim, padding, dtype),
                                   bags.offsets.count(), bags.mean};
        SB_REQUIRE(cpu::embeddingBagOffsetsValid(p, bags.offsets.i32().data()),
                   std::string(op) + ": offsets " + bags.offsets.describe() +
                       " must start at 0, never fall and end within " + bags.ids.describe());
        return p;
    }

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
    std::map<MatmulParams, cpu::MatmulPlan> plans_;
};

} // namespace

std::unique_ptr<EmbeddingOps> makeEmbeddingOps(CpuContext& context)
{
    return std::make_unique<CpuEmbedding>(context);
}

} // namespace scalebench::cpu_backend
