// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/backend/cpu/families.h"
#include "engine/backend/optimizer_arguments.h"
#include "kernels/vector_ops.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;
using std::span;

/// `states`: how many of first and second the update reads.
void requireArenas(const char* op, const ChunkList& list, const OptimizerArenas& a, int states)
{
    requireArenaLengths(op, a, states);
    requireList(op, list, a.weight.size());
}

void requireRows(const char* op, const SparseRows& gradient, const Tensor& table)
{
    requireTable(op, gradient, table);
    for (std::int32_t row : gradient.rows.i32())
        SB_REQUIRE(row >= 0 && row < table.dim(0), std::string(op) + ": row " +
                                                       std::to_string(row) + " is not in a table " +
                                                       table.describe());
}

SparseRowsView viewOf(const SparseRows& gradient)
{
    return {gradient.count(), gradient.values.dim(1), gradient.rows.i32().data(),
            gradient.values.f32().data()};
}

class CpuOptimizer final : public OptimizerOps
{
public:
    explicit CpuOptimizer(CpuContext& context) : context_(context) {}

    void sumOfSquares(const ChunkList& list, span<const float> x, span<double> sums) override
    {
        const CpuContext::Timer timer(context_, "norms");
        requireList("sum of squares", list, x.size());
        timer.work(0, double(x.size_bytes()));
        requireLength("sum of squares", sums.size(), list.tensors.size());
        cpu::sumOfSquares(list, x.data(), scratch(list.chunks.size()), sums.data());
    }

    void sgd(const SgdParams& p, const ChunkList& list, const OptimizerArenas& a) override
    {
        const CpuContext::Timer timer(context_, "sgd");
        requireArenas("sgd", list, a, p.momentum == 0.0f ? 0 : 1);
        // Weights and moments are read and written.
        timer.work(0, double(a.gradient.size_bytes()) * (p.momentum == 0.0f ? 3 : 5));
        cpu::sgdStep(p, list, a.gradient.data(), a.weight.data(), a.first.data());
    }

    void adam(const AdamParams& p, const ChunkList& list, const OptimizerArenas& a) override
    {
        const CpuContext::Timer timer(context_, "adam");
        requireArenas("adam", list, a, 2);
        timer.work(0, 7.0 * double(a.gradient.size_bytes()));
        cpu::adamStep(p, list, a.gradient.data(), a.weight.data(), a.first.data(), a.second.data());
    }

    void larsRatios(const LarsParams& p, const ChunkList& list, span<const double> gradSquares,
                    span<const double> weightSquares, span<float> trust) override
    {
        requireRatios("lars", list, gradSquares, weightSquares, trust);
        cpu::larsRatios(p, list, gradSquares.data(), weightSquares.data(), trust.data());
    }

    void lars(const LarsParams& p, const ChunkList& list, span<const float> trust,
              const OptimizerArenas& a) override
    {
        const CpuContext::Timer timer(context_, "lars");
        requireArenas("lars", list, a, 1);
        timer.work(0, 5.0 * double(a.gradient.size_bytes()));
        requireLength("lars", trust.size(), list.tensors.size());
        cpu::larsStep(p, list, trust.data(), a.gradient.data(), a.weight.data(), a.first.data());
    }

    void lambMoments(const LambParams& p, const ChunkList& list, const OptimizerArenas& a,
                     span<double> weightSquares, span<double> updateSquares) override
    {
        const CpuContext::Timer timer(context_, "lamb moments");
        requireArenas("lamb", list, a, 2);
        requireLength("lamb", weightSquares.size(), list.tensors.size());
        requireLength("lamb", updateSquares.size(), list.tensors.size());
        cpu::lambMoments(p, list, a.gradient.data(), a.weight.data(), a.first.data(),
                         a.second.data(), scratch(2 * list.chunks.size()), weightSquares.data(),
                         updateSquares.data());
    }

    void lambRatios(const LambParams& p, const ChunkList& list, span<const double> weightSquares,
                    span<const double> updateSquares, span<float> trust) override
    {
        requireRatios("lamb", list, weightSquares, updateSquares, trust);
        cpu::lambRatios(p, list, weightSquares.data(), updateSquares.data(), trust.data());
    }

    void lambApply(const LambParams& p, const ChunkList& list, span<const float> trust,
                   const OptimizerArenas& a) override
    {
        const CpuContext::Timer timer(context_, "lamb update");
        requireArenas("lamb", list, a, 2);
        requireLength("lamb", trust.size(), list.tensors.size());
        cpu::lambApply(p, list, trust.data(), a.first.data(), a.second.data(), a.weight.data());
    }

    void sparseSgd(const SparseSgdParams& p, const SparseRows& gradient, Tensor table) override
    {
        const CpuContext::Timer timer(context_, "sparse sgd");
        if (gradient.empty())
            return;
        requireRows("sparse sgd", gradient, table);
        cpu::sparseSgdStep(p, viewOf(gradient), table.f32().data());
    }

    void sparseAdam(const SparseAdamParams& p, const SparseRows& gradient, Tensor table, Tensor m,
                    Tensor v) override
    {
        const CpuContext::Timer timer(context_, "sparse adam");
        if (gradient.empty())
            return;
        requireRows("sparse adam", gradient, table);
        requireSame("sparse adam", table, m);
        requireSame("sparse adam", table, v);
        cpu::sparseAdamStep(p, viewOf(gradient), table.f32().data(), m.f32().data(),
                            v.f32().data());
    }

    void scale(float a, span<const float> x, span<float> y) override
    {
        const CpuContext::Timer timer(context_, "optimizer passes");
        requireLength("scale", y.size(), x.size());
        cpu::scale(std::int64_t(x.size()), a, x.data(), y.data());
    }

    void axpy(float a, span<const float> x, span<float> y) override
    {
        const CpuContext::Timer timer(context_, "optimizer passes");
        requireLength("axpy", y.size(), x.size());
        cpu::axpy(std::int64_t(x.size()), a, x.data(), y.data());
    }

    void multiply(span<const float> x, span<const float> y, span<float> z) override
    {
        const CpuContext::Timer timer(context_, "optimizer passes");
        requireLength("multiply", y.size(), x.size());
        requireLength("multiply", z.size(), x.size());
        cpu::multiply(std::int64_t(x.size()), x.data(), y.data(), z.data());
    }

    void divide(span<const float> x, span<const float> y, span<float> z) override
    {
        const CpuContext::Timer timer(context_, "optimizer passes");
        requireLength("divide", y.size(), x.size());
        requireLength("divide", z.size(), x.size());
        cpu::divide(std::int64_t(x.size()), x.data(), y.data(), z.data());
    }

    void squareRoot(span<const float> x, span<float> y) override
    {
        const CpuContext::Timer timer(context_, "optimizer passes");
        requireLength("square root", y.size(), x.size());
        cpu::squareRoot(std::int64_t(x.size()), x.data(), y.data());
    }

    void addScalar(float a, span<const float> x, span<float> y) override
    {
        const CpuContext::Timer timer(context_, "optimizer passes");
        requireLength("add scalar", y.size(), x.size());
        cpu::addScalar(std::int64_t(x.size()), a, x.data(), y.data());
    }

private:
    double* scratch(std::size_t numbers)
    {
        return static_cast<double*>(
            context_.workspace(std::max<std::size_t>(numbers, 1) * sizeof(double)));
    }

    CpuContext& context_;
};

} // namespace

std::unique_ptr<OptimizerOps> makeOptimizerOps(CpuContext& context)
{
    return std::make_unique<CpuOptimizer>(context);
}

} // namespace scalebench::cpu_backend
