// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/embedding.h"

#include "engine/backend/cpu/families.h"
#include "kernels/copy_rows.h"
#include "kernels/dot_interaction.h"
#include "kernels/embedding.h"
#include "kernels/embedding_bag.h"
#include "kernels/matmul.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

struct EmbeddingDevice {
    using Context = CpuContext;
    static constexpr auto requireActivation = cpu_backend::requireActivation;
    static constexpr auto copyRows = cpu::copyRows;

    /// What they hold.
    static void requireIds(const std::string& op, const Tensor& ids, std::int64_t rows)
    {
        const std::int64_t bad = cpu::embeddingFirstOutside(ids.count(), rows, ids.i32().data());
        SB_REQUIRE(bad < 0, op + ": id " + std::to_string(ids.i32()[std::size_t(bad)]) +
                                " at position " + std::to_string(bad) + " of " + ids.describe() +
                                " is outside a table of " + std::to_string(rows) + " rows");
    }

    static void requireOffsets(const char* op, const EmbeddingBagParams& p, const BagIds& bags)
    {
        SB_REQUIRE(cpu::embeddingBagOffsetsValid(p, bags.offsets.i32().data()),
                   std::string(op) + ": offsets " + bags.offsets.describe() +
                       " must start at 0, never fall and end within " + bags.ids.describe());
    }
};

const std::int32_t* sourceOrNull(const Tensor& t)
{
    return t.defined() ? t.i32().data() : nullptr;
}

const float* weightOrNull(const Tensor& t)
{
    return t.defined() ? t.f32().data() : nullptr;
}

class CpuEmbedding final : public EmbeddingFamily<EmbeddingDevice>
{
public:
    using EmbeddingFamily::EmbeddingFamily;

private:
    void lookUp(const char*, std::int64_t n, std::span<const LookupTable> tables,
                const Tensor& output) override
    {
        cpu::embeddingForward(n, tables, output.dtype(), output.shape().back(), output.data());
    }

    void lookUpBags(const EmbeddingBagParams& p, const Tensor& table, const BagIds& bags,
                    const Tensor& output) override
    {
        cpu::embeddingBagForward(p, table.f32().data(), bags.ids.i32().data(),
                                 bags.offsets.i32().data(), output.data());
    }

    void sourcesOfBags(const EmbeddingBagParams& p, const BagIds& bags,
                       const Sources& sources) override
    {
        cpu::embeddingBagSources(p, bags.ids.i32().data(), bags.offsets.i32().data(),
                                 sources.source.i32().data(), sources.weight.f32().data());
    }

    void sumDense(const EmbeddingParams& p, const Tensor& ids, const void* dy, const Sources& from,
                  const Tensor& gradTable, bool accumulate) override
    {
        cpu::embeddingBackwardDense(p, ids.i32().data(), dy, sourceOrNull(from.source),
                                    weightOrNull(from.weight), gradTable.f32().data(), accumulate);
    }

    SparseRows sumByRow(const EmbeddingParams& p, const Tensor& ids, const void* dy,
                        const Sources& from) override
    {
        const Tensor rows = context_.make({p.n}, DType::I32);
        const Tensor begin = context_.make({p.n + 1}, DType::I32);
        const Tensor entry = context_.make({p.n}, DType::I32);
        EmbeddingGroups groups{rows.i32().data(), begin.i32().data(), entry.i32().data(), 0};
        cpu::embeddingGroup(p, ids.i32().data(), groups,
                            context_.workspace(cpu::embeddingGroupScratchBytes(p.n)));
        if (groups.count == 0)
            return {};
        SparseRows result{rows.firstRows(groups.count),
                          context_.make({groups.count, p.dim}, DType::F32)};
        cpu::embeddingBackwardSparse(p, groups, dy, sourceOrNull(from.source),
                                     weightOrNull(from.weight), result.values.f32().data());
        return result;
    }

    /// In bf16 without instructions for pairs by way of a batched product: x x^T of every sample,
    /// then the lower triangle.
    void interact(const DotInteractionParams& p, const Tensor& input, const Tensor& output) override
    {
        if (output.count() == 0)
            return;
        if (p.dtype == DType::F32) {
            cpu::dotInteractionForward(p, input.f32().data(), output.f32().data());
            return;
        }
        if (cpu::dotInteractionOfPairs()) {
            cpu::dotInteractionForward(p, input.bf16().data(), output.bf16().data());
            return;
        }
        const Tensor products = context_.make({p.B, p.F, p.F}, p.dtype);
        MatmulParams m = batched(p, p.F, p.F, p.D);
        m.transB = true;
        m.strideA.outer = m.strideB.outer = p.F * p.D;
        m.strideC.outer = p.F * p.F;
        run(m, input.data(), input.data(), products.data());
        cpu::dotInteractionPairs(p, input.bf16().data(), products.bf16().data(),
                                 output.bf16().data());
    }

    void interactBackward(const DotInteractionParams& p, const Tensor& input,
                          const Tensor& gradOutput, const Tensor& gradInput) override
    {
        if (input.count() == 0)
            return;
        if (p.dtype == DType::F32) {
            cpu::dotInteractionBackward(p, input.f32().data(), gradOutput.f32().data(),
                                        gradInput.f32().data());
            return;
        }
        if (cpu::dotInteractionOfPairs()) {
            cpu::dotInteractionBackward(p, input.bf16().data(), gradOutput.bf16().data(),
                                        gradInput.bf16().data());
            return;
        }
        const Tensor symmetric = context_.make({p.B, p.F, p.F}, p.dtype);
        cpu::dotInteractionSymmetric(p, gradOutput.bf16().data(), symmetric.bf16().data());
        MatmulParams m = batched(p, p.F, p.D, p.F);
        m.strideA.outer = p.F * p.F;
        m.strideB.outer = m.strideC.outer = p.F * p.D;
        run(m, symmetric.data(), input.data(), gradInput.data());
        cpu::dotInteractionAddDense(p, gradOutput.bf16().data(), gradInput.bf16().data());
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
        const cpu::MatmulPlan& plan = plans_.get(m, [&] { return cpu::MatmulPlan(m); });
        plan.run(a, b, nullptr, c, context_.workspace(plan.workspaceBytes()));
    }

    PlanCache<MatmulParams, cpu::MatmulPlan> plans_;
};

} // namespace

std::unique_ptr<EmbeddingOps> makeEmbeddingOps(CpuContext& context)
{
    return std::make_unique<CpuEmbedding>(context);
}

} // namespace scalebench::cpu_backend
