// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/backend/cuda/chunk_lists.h"
#include "engine/backend/cuda/families.h"
#include "engine/backend/ops/device_trust.h"
#include "engine/backend/ops/device_updates.h"
#include "engine/backend/optimizer_arguments.h"
#include "kernels/cuda/optimizer.h"
#include "kernels/cuda/sparse_update.h"
#include "kernels/cuda/vector_ops.h"
#include "kernels/formula/optimizer.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;
using cuda::DeviceChunks;
using std::span;

/// Arrays of OptimizerArenas and of the elementary passes are in device memory; lists, sums and
/// ratios are the host's. Only what gives sums waits for the device.
class CudaOptimizer final : public OptimizerOps, public DeviceTrust, public DeviceUpdates
{
public:
    explicit CudaOptimizer(CudaContext& context) : context_(context), lists_(context) {}

    void sumOfSquares(const ChunkList& list, span<const float> x, span<double> sums) override
    {
        const CudaContext::Timer timer(context_, "norms");
        requireLength("sum of squares", sums.size(), list.tensors.size());
        const DeviceChunks device = lists_.get("sum of squares", list, x.size());
        double* const out = sumScratch(device, 1);
        cuda::sumOfSquares(device, x.data(), out + sums.size(), out, context_.stream());
        context_.download(out, sums.data(), sums.size_bytes());
    }

    void sgd(const SgdParams& p, const ChunkList& list, const OptimizerArenas& a) override
    {
        const CudaContext::Timer timer(context_, "sgd");
        const DeviceChunks device = listOf("sgd", list, a, p.momentum == 0.0f ? 0 : 1);
        const cuda::DeviceStep numbers = step(p);
        if (parts_.kernels)
            cuda::sgdStep(p, numbers, device, a.gradient.data(), a.weight.data(), a.first.data(),
                          context_.stream());
    }

    void adam(const AdamParams& p, const ChunkList& list, const OptimizerArenas& a) override
    {
        const CudaContext::Timer timer(context_, "adam");
        const DeviceChunks device = listOf("adam", list, a, 2);
        const cuda::DeviceStep numbers = step(p);
        if (parts_.kernels)
            cuda::adamStep(p, numbers, device, a.gradient.data(), a.weight.data(), a.first.data(),
                           a.second.data(), context_.stream());
    }

    void larsRatios(const LarsParams& p, const ChunkList& list, span<const double> gradSquares,
                    span<const double> weightSquares, span<float> trust) override
    {
        requireRatios("lars", list, gradSquares, weightSquares, trust);
        for (std::size_t t = 0; t < trust.size(); ++t) {
            const TensorSetting& s = list.tensors[t];
            const double g = std::sqrt(gradSquares[t]) * std::abs(double(p.gradientScale));
            const double w = std::sqrt(weightSquares[t]);
            trust[t] =
                s.adapt ? float(formula::larsTrust(g, w, p.eta, double(s.weightDecay), p.epsilon))
                        : 1.0f;
        }
    }

    void lars(const LarsParams& p, const ChunkList& list, span<const float> trust,
              const OptimizerArenas& a) override
    {
        const CudaContext::Timer timer(context_, "lars");
        requireLength("lars", trust.size(), list.tensors.size());
        const DeviceChunks device = listOf("lars", list, a, 1);
        const Tensor ratios = context_.makeTable(trust);
        cuda::larsStep(p, step(p), device, floats(ratios), a.gradient.data(), a.weight.data(),
                       a.first.data(), context_.stream());
    }

    void lambMoments(const LambParams& p, const ChunkList& list, const OptimizerArenas& a,
                     span<double> weightSquares, span<double> updateSquares) override
    {
        const CudaContext::Timer timer(context_, "lamb moments");
        requireLength("lamb", weightSquares.size(), list.tensors.size());
        requireLength("lamb", updateSquares.size(), list.tensors.size());
        const DeviceChunks device = listOf("lamb", list, a, 2);
        const std::size_t tensors = list.tensors.size();
        double* const out = sumScratch(device, 2);
        cuda::lambMoments(p, step(p), device, a.gradient.data(), a.weight.data(), a.first.data(),
                          a.second.data(), out + 2 * tensors, out, context_.stream());
        std::vector<double> sums(2 * tensors);
        context_.download(out, sums.data(), sums.size() * sizeof(double));
        std::copy_n(sums.begin(), tensors, weightSquares.begin());
        std::copy_n(sums.begin() + std::ptrdiff_t(tensors), tensors, updateSquares.begin());
    }

    void lambRatios(const LambParams& p, const ChunkList& list, span<const double> weightSquares,
                    span<const double> updateSquares, span<float> trust) override
    {
        requireRatios("lamb", list, weightSquares, updateSquares, trust);
        for (std::size_t t = 0; t < trust.size(); ++t) {
            const bool scaled = p.adaptWithoutDecay || list.tensors[t].weightDecay != 0.0f;
            trust[t] =
                scaled ? float(formula::lambTrust(weightSquares[t], updateSquares[t])) : 1.0f;
        }
    }

    void lambApply(const LambParams& p, const ChunkList& list, span<const float> trust,
                   const OptimizerArenas& a) override
    {
        const CudaContext::Timer timer(context_, "lamb update");
        requireLength("lamb", trust.size(), list.tensors.size());
        const DeviceChunks device = listOf("lamb", list, a, 2);
        const Tensor ratios = context_.makeTable(trust);
        cuda::lambApply(p, step(p), device, floats(ratios), a.first.data(), a.second.data(),
                        a.weight.data(), context_.stream());
    }

    void larsStep(const LarsParams& p, const ChunkList& list, const OptimizerArenas& a) override
    {
        const CudaContext::Timer timer(context_, "lars");
        const DeviceChunks device = listOf("lars", list, a, 1);
        const cuda::DeviceStep numbers = step(p);
        if (!parts_.kernels)
            return;
        const std::size_t tensors = list.tensors.size();
        double* const out = sumScratch(device, 2);
        double* const partial = out + 2 * tensors;
        cuda::sumOfSquares(device, a.gradient.data(), partial, out, context_.stream());
        cuda::sumOfSquares(device, a.weight.data(), partial, out + tensors, context_.stream());
        float* const trust = ratios(tensors);
        cuda::larsTrust(p, numbers, device, out, out + tensors, trust, context_.stream());
        cuda::larsStep(p, numbers, device, trust, a.gradient.data(), a.weight.data(),
                       a.first.data(), context_.stream());
    }

    void lambStep(const LambParams& p, const ChunkList& list, const OptimizerArenas& a) override
    {
        const CudaContext::Timer timer(context_, "lamb");
        const DeviceChunks device = listOf("lamb", list, a, 2);
        const cuda::DeviceStep numbers = step(p);
        if (!parts_.kernels)
            return;
        const std::size_t tensors = list.tensors.size();
        double* const out = sumScratch(device, 2);
        cuda::lambMoments(p, numbers, device, a.gradient.data(), a.weight.data(), a.first.data(),
                          a.second.data(), out + 2 * tensors, out, context_.stream());
        float* const trust = ratios(tensors);
        cuda::lambTrust(p, device, out, trust, context_.stream());
        cuda::lambApply(p, numbers, device, trust, a.first.data(), a.second.data(), a.weight.data(),
                        context_.stream());
    }

    void stopUnlessFinite(const Tensor& loss) override
    {
        cuda::closeUnlessFinite(loss.f32().data(), closed(), context_.stream());
    }

    void setParts(const Parts& parts) override { parts_ = parts; }

    void clip(const ChunkList& list, span<const float> gradient, double largest,
              double epsilon) override
    {
        const CudaContext::Timer timer(context_, "norms");
        SB_REQUIRE(numbers_.defined(), "clipping: no update was brought");
        const DeviceChunks device = lists_.get("clipping", list, gradient.size());
        double* const out = sumScratch(device, 1);
        cuda::sumOfSquares(device, gradient.data(), out + device.tensorCount, out,
                           context_.stream());
        cuda::clipGradient({largest, epsilon}, device.tensorCount, out,
                           static_cast<cuda::StepNumbers*>(numbers_.data()), context_.stream());
    }

    /// A row outside the table is told later: see CudaContext::badIndex().
    void sparseSgd(const SparseSgdParams& p, const SparseRows& gradient, Tensor table) override
    {
        const CudaContext::Timer timer(context_, "sparse sgd");
        if (gradient.empty())
            return;
        requireTable("sparse sgd", gradient, table);
        cuda::sparseSgdStep(p, viewOf(gradient), table.dim(0), table.f32().data(),
                            context_.badIndex("sparse sgd"), context_.stream());
    }

    void sparseAdam(const SparseAdamParams& p, const SparseRows& gradient, Tensor table, Tensor m,
                    Tensor v) override
    {
        const CudaContext::Timer timer(context_, "sparse adam");
        if (gradient.empty())
            return;
        requireTable("sparse adam", gradient, table);
        requireSame("sparse adam", table, m);
        requireSame("sparse adam", table, v);
        cuda::sparseAdamStep(p, viewOf(gradient), table.dim(0), table.f32().data(), m.f32().data(),
                             v.f32().data(), context_.badIndex("sparse adam"), context_.stream());
    }

    void scale(float a, span<const float> x, span<float> y) override
    {
        const CudaContext::Timer timer(context_, kPasses);
        requireLength("scale", y.size(), x.size());
        cuda::scale(std::int64_t(x.size()), a, x.data(), y.data(), context_.stream());
    }

    void axpy(float a, span<const float> x, span<float> y) override
    {
        const CudaContext::Timer timer(context_, kPasses);
        requireLength("axpy", y.size(), x.size());
        cuda::axpy(std::int64_t(x.size()), a, x.data(), y.data(), context_.stream());
    }

    void multiply(span<const float> x, span<const float> y, span<float> z) override
    {
        const CudaContext::Timer timer(context_, kPasses);
        requireLength("multiply", y.size(), x.size());
        requireLength("multiply", z.size(), x.size());
        cuda::multiply(std::int64_t(x.size()), x.data(), y.data(), z.data(), context_.stream());
    }

    void divide(span<const float> x, span<const float> y, span<float> z) override
    {
        const CudaContext::Timer timer(context_, kPasses);
        requireLength("divide", y.size(), x.size());
        requireLength("divide", z.size(), x.size());
        cuda::divide(std::int64_t(x.size()), x.data(), y.data(), z.data(), context_.stream());
    }

    void squareRoot(span<const float> x, span<float> y) override
    {
        const CudaContext::Timer timer(context_, kPasses);
        requireLength("square root", y.size(), x.size());
        cuda::squareRoot(std::int64_t(x.size()), x.data(), y.data(), context_.stream());
    }

    void addScalar(float a, span<const float> x, span<float> y) override
    {
        const CudaContext::Timer timer(context_, kPasses);
        requireLength("add scalar", y.size(), x.size());
        cuda::addScalar(std::int64_t(x.size()), a, x.data(), y.data(), context_.stream());
    }

private:
    static constexpr const char* kPasses = "optimizer passes";

    DeviceChunks listOf(const char* op, const ChunkList& list, const OptimizerArenas& a, int states)
    {
        requireArenaLengths(op, a, states);
        return lists_.get(op, list, a.weight.size());
    }

    /// `numbers` sums per tensor, and behind them what the kernels leave per chunk.
    double* sumScratch(const DeviceChunks& list, std::size_t numbers)
    {
        const std::size_t count =
            numbers * (std::size_t(list.tensorCount) + cuda::partialSums(list.chunkCount));
        return static_cast<double*>(
            context_.workspace(std::max<std::size_t>(count, 1) * sizeof(double)));
    }

    static const float* floats(const Tensor& table)
    {
        return static_cast<const float*>(table.data());
    }
    static SparseRowsView viewOf(const SparseRows& gradient)
    {
        return {gradient.count(), gradient.values.dim(1), gradient.rows.i32().data(),
                gradient.values.f32().data()};
    }

    float* ratios(std::size_t tensors)
    {
        if (!ratios_.defined() || std::size_t(ratios_.count()) < tensors)
            ratios_ = context_.make({std::int64_t(std::max<std::size_t>(tensors, 1))}, DType::F32);
        return ratios_.f32().data();
    }

    std::int32_t* closed()
    {
        if (!closed_.defined()) {
            closed_ = context_.make({1}, DType::I32);
            context_.clear(closed_.data(), closed_.bytes());
        }
        return closed_.i32().data();
    }

    /// What an update with these parameters reads; brought, unless that is left out.
    template <class Params>
    cuda::DeviceStep step(const Params& p)
    {
        if (!numbers_.defined())
            numbers_ = context_.make({std::int64_t(sizeof(cuda::StepNumbers))}, DType::U8);
        if (parts_.numbers) {
            cuda::StepNumbers numbers = cuda::stepNumbers(p);
            numbers.off = parts_.off;
            context_.upload(&numbers, numbers_.data(), sizeof numbers);
        }
        return {static_cast<const cuda::StepNumbers*>(numbers_.data()), closed()};
    }

    CudaContext& context_;
    ChunkLists lists_;
    Tensor ratios_;
    Tensor numbers_, closed_; ///< kernels::cuda::DeviceStep
    Parts parts_;
};

} // namespace

std::unique_ptr<OptimizerOps> makeOptimizerOps(CudaContext& context)
{
    return std::make_unique<CudaOptimizer>(context);
}

} // namespace scalebench::cuda_backend
