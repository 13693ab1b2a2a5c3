// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"
#include "engine/backend/families/layer_norm.h"
#include "engine/backend/gradient_terms.h"
#include "kernels/cuda/layer_norm.h"
#include "kernels/cuda/softmax.h"

#include <limits>
#include <string>
#include <vector>

#include "kernels/cuda/batch_norm.h"

// cuDNN's batch normalisation is not used: it has no entry for our order of operations (residual
// add and ReLU behind the affine form, the sum of two gradients in front of it), none that hands
// out the sums for statistics over workers, and cannot be proven without a GPU. All of it should be
// bound by memory; no speed of either has been measured.

namespace scalebench::cuda_backend {
namespace {

struct LayerNormDevice {
    using Context = CudaContext;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    static constexpr auto layerNormForward = kernels::cuda::layerNormForward;
    static constexpr auto layerNormBackward = kernels::cuda::layerNormBackward;
    static constexpr auto layerNormWorkspaceBytes = kernels::cuda::layerNormWorkspaceBytes;
    static constexpr auto softmaxForward = kernels::cuda::softmaxForward;
    static constexpr auto softmaxBackward = kernels::cuda::softmaxBackward;
};

namespace cuda = kernels::cuda;
using kernels::cpu::BatchNormBackward;

class CudaNormalization final : public NormalizationOps
{
public:
    CudaNormalization(CudaContext& context, ElementwiseOps& elementwise)
        : context_(context),
          elementwise_(elementwise),
          layerNorm_(context),
          arrived_(context.make({kMostTiles}, DType::I32))
    {
        context_.clear(arrived_.data(), arrived_.bytes());
    }

    LayerNormResult layerNormForward(const LayerNormArgs& args, const Tensor& input,
                                     const Tensor& residual, const Tensor& gamma,
                                     const Tensor& beta, bool keep) override
    {
        return layerNorm_.layerNormForward(args, input, residual, gamma, beta, keep);
    }
    Tensor layerNormBackward(const LayerNormArgs& args, const LayerNormResult& forward,
                             const Tensor& gamma, const Tensor& gradOutput, const Tensor& gradSum,
                             const LayerNormGradients& gradients) override
    {
        return layerNorm_.layerNormBackward(args, forward, gamma, gradOutput, gradSum, gradients);
    }
    Tensor softmaxForward(const Tensor& input) override { return layerNorm_.softmaxForward(input); }
    Tensor softmaxBackward(const Tensor& output, const Tensor& gradOutput) override
    {
        return layerNorm_.softmaxBackward(output, gradOutput);
    }

    /// With a reducer the sums take the way over the host, which waits for them.
    Tensor batchNormForward(const BatchNormArgs& args, const Tensor& input, const Tensor& residual,
                            const Tensor& gamma, const Tensor& beta, Tensor runningMean,
                            Tensor runningVar, const StatReducer& reducer,
                            BatchNormSaved& saved) override
    {
        const CudaContext::Timer timer(context_, "batch norm forward");
        const BatchNormParams p = normParams(args, input, residual, gamma, beta);
        requireChannels("batch norm running mean", runningMean, p.C);
        requireChannels("batch norm running variance", runningVar, p.C);
        saved.mean = context_.make({p.C}, DType::F32);
        saved.invStd = context_.make({p.C}, DType::F32);
        Tensor output = context_.make(input.shape(), p.dtype);
        cuda::BatchNormUpdate update{double(p.rows),
                                     args.epsilon,
                                     args.momentum,
                                     saved.mean.f32().data(),
                                     saved.invStd.f32().data(),
                                     runningMean.f32().data(),
                                     runningVar.f32().data()};
        const Tensor sums = reducer ? makeSums(p) : Tensor();
        cuda::batchNormStatistics(p, input.data(), sumsOf(sums), update, scratch(p),
                                  context_.stream());
        if (reducer) {
            update.count = reduceSums(reducer, sums, double(p.rows));
            if (update.count > 0.0)
                cuda::batchNormFinish(p.C, sumsOf(sums), update, context_.stream());
        }
        saved.count = update.count;
        cuda::batchNormApply(p, input.data(), residual.data(), update.mean, update.invStd,
                             gamma.f32().data(), beta.f32().data(), output.data(),
                             context_.stream());
        return output;
    }

    Tensor batchNormInference(const BatchNormArgs& args, const Tensor& input,
                              const Tensor& residual, const Tensor& gamma, const Tensor& beta,
                              const Tensor& runningMean, const Tensor& runningVar) override
    {
        const CudaContext::Timer timer(context_, "batch norm inference");
        const BatchNormParams p = normParams(args, input, residual, gamma, beta);
        requireChannels("batch norm running mean", runningMean, p.C);
        requireChannels("batch norm running variance", runningVar, p.C);
        Tensor output = context_.make(input.shape(), p.dtype);
        cuda::frozenBatchNormForward(
            p, args.epsilon, input.data(), residual.data(), gamma.f32().data(), beta.f32().data(),
            runningMean.f32().data(), runningVar.f32().data(), output.data(), context_.stream());
        return output;
    }

    BatchNormGradients batchNormBackward(const BatchNormArgs& args, const Tensor& input,
                                         const Tensor& output, bool hasResidual,
                                         std::vector<Tensor> gradOutputs, const Tensor& gamma,
                                         const Tensor& beta, const BatchNormSaved& saved,
                                         const StatReducer& reducer, Tensor gradGamma,
                                         Tensor gradBeta, bool accumulate) override
    {
        const CudaContext::Timer timer(context_, "batch norm backward");
        const BatchNormParams p = normParams(args, input, Tensor(), gamma, beta);
        requireChannels("batch norm gradient of gamma", gradGamma, p.C);
        requireChannels("batch norm gradient of beta", gradBeta, p.C);
        sumToTwoTerms(gradOutputs, elementwise_);
        for (const Tensor& g : gradOutputs)
            requireSame("batch norm backward", g, input);

        BatchNormBackward b;
        b.x = input.data();
        b.y = output.data();
        b.dy = gradOutputs[0].data();
        b.dyMore = gradOutputs.size() > 1 ? gradOutputs[1].data() : nullptr;
        b.mean = saved.mean.f32().data();
        b.invStd = saved.invStd.f32().data();
        b.gamma = gamma.f32().data();
        b.beta = beta.f32().data();
        BatchNormGradients result =
            batchNormGradientsIn(gradOutputs, hasResidual, context_.allocator());
        b.dz = result.residual.data();

        if (p.rows == 0 && !accumulate) {
            context_.clear(gradGamma.data(), gradGamma.bytes());
            context_.clear(gradBeta.data(), gradBeta.bytes());
        }
        const Tensor sums = reducer ? makeSums(p) : Tensor();
        const Tensor slopes = context_.make({3, p.C}, DType::F32);
        cuda::batchNormBackwardSums(
            p, b, {gradGamma.f32().data(), gradBeta.f32().data(), accumulate}, sumsOf(sums),
            saved.count, slopes.f32().data(), scratch(p), context_.stream());
        if (reducer) {
            reduceSums(reducer, sums);
            cuda::batchNormSlopes(p.C, b, sumsOf(sums), saved.count, slopes.f32().data(),
                                  context_.stream());
        }
        cuda::batchNormBackwardApply(p, b, slopes.f32().data(), result.input.data(),
                                     context_.stream());
        return result;
    }

    BatchNormGradients frozenBatchNormBackward(const BatchNormArgs& args, const Tensor& output,
                                               bool hasResidual, std::vector<Tensor> gradOutputs,
                                               const Tensor& gamma,
                                               const Tensor& runningVar) override
    {
        const CudaContext::Timer timer(context_, "frozen batch norm backward");
        sumToTwoTerms(gradOutputs, elementwise_);
        const Tensor& dy = gradOutputs[0];
        const BatchNormParams p = normParams(args, dy, Tensor(), gamma, gamma);
        requireChannels("batch norm running variance", runningVar, p.C);
        for (const Tensor& g : gradOutputs)
            requireSame("frozen batch norm backward", g, args.relu ? output : dy);
        BatchNormGradients result =
            batchNormGradientsIn(gradOutputs, hasResidual, context_.allocator());
        cuda::frozenBatchNormBackward(
            p, args.epsilon, args.relu ? output.data() : nullptr, dy.data(),
            gradOutputs.size() > 1 ? gradOutputs[1].data() : nullptr, gamma.f32().data(),
            runningVar.f32().data(), result.input.data(), result.residual.data(),
            context_.stream());
        return result;
    }

    BatchNormSaved fixedStatistics(const BatchNormArgs& args, const Tensor& runningMean,
                                   const Tensor& runningVar) override
    {
        const std::int64_t C = runningMean.count();
        requireChannels("batch norm running mean", runningMean, C);
        requireChannels("batch norm running variance", runningVar, C);
        BatchNormSaved saved;
        saved.mean = runningMean;
        saved.invStd = context_.make({C}, DType::F32);
        cuda::batchNormInvStd(C, runningVar.f32().data(), args.epsilon, saved.invStd.f32().data(),
                              context_.stream());
        saved.count = std::numeric_limits<double>::infinity(); // no row moves them
        return saved;
    }

private:
    static BatchNormParams normParams(const BatchNormArgs& args, const Tensor& input,
                                      const Tensor& residual, const Tensor& gamma,
                                      const Tensor& beta)
    {
        requireActivation("batch norm", input, 0);
        if (residual.defined())
            requireSame("batch norm with residual", input, residual);
        const std::int64_t C = input.shape().back();
        requireChannels("batch norm gamma", gamma, C);
        requireChannels("batch norm beta", beta, C);
        return {rowsOf(input), C, input.dtype(), args.relu};
    }

    cuda::BatchNormScratch scratch(const BatchNormParams& p)
    {
        if (cuda::batchNormTiles(p) > kMostTiles)
            throw Unsupported("batch norm of " + std::string(dtypeName(p.dtype)) + " [" +
                              std::to_string(p.rows) + "," + std::to_string(p.C) +
                              "]: the CUDA backend has counters for fewer channels");
        return {context_.workspace(cuda::batchNormWorkspaceBytes(p)),
                static_cast<unsigned*>(arrived_.data())};
    }

    /// Two doubles per channel; zeros where no row gives any.
    Tensor makeSums(const BatchNormParams& p)
    {
        Tensor sums = context_.make({2 * p.C * std::int64_t(sizeof(double))}, DType::U8);
        if (p.rows == 0)
            context_.clear(sums.data(), sums.bytes());
        return sums;
    }
    static double* sumsOf(const Tensor& sums) { return static_cast<double*>(sums.data()); }

    /// Over the workers, and with them `rows`, the sum of which is returned.
    double reduceSums(const StatReducer& reducer, const Tensor& sums, double rows)
    {
        std::vector<double> numbers(sums.bytes() / sizeof(double));
        context_.download(sums.data(), numbers.data(), sums.bytes());
        numbers.push_back(rows);
        reducer(numbers);
        context_.upload(numbers.data(), sums.data(), sums.bytes());
        return numbers.back();
    }
    void reduceSums(const StatReducer& reducer, const Tensor& sums)
    {
        std::vector<double> numbers(sums.bytes() / sizeof(double));
        context_.download(sums.data(), numbers.data(), sums.bytes());
        reducer(numbers);
        context_.upload(numbers.data(), sums.data(), sums.bytes());
    }

    CudaContext& context_;
    ElementwiseOps& elementwise_;
    LayerNormFamily<LayerNormDevice> layerNorm_;
    /// Counters of the kernels that sum, zero between them. They never move: a recorded graph has
    /// their address.
    static constexpr std::int64_t kMostTiles = 16384;
    Tensor arrived_;
};

} // namespace

std::unique_ptr<NormalizationOps> makeNormalizationOps(CudaContext& context,
                                                       ElementwiseOps& elementwise)
{
    return std::make_unique<CudaNormalization>(context, elementwise);
}

} // namespace scalebench::cuda_backend
