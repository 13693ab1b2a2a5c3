// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/normalization.h"

#include <string>
#include <vector>

#include "engine/backend/cuda/families.h"
#include "kernels/cuda/batch_norm.h"
#include "kernels/cuda/layer_norm.h"
#include "kernels/cuda/softmax.h"

// cuDNN's batch normalisation is not used: it has no entry for our order of operations (residual
// add and ReLU behind the affine form, the sum of two gradients in front of it), none that hands
// out the sums for statistics over workers, and cannot be proven without a GPU. All of it is bound
// by memory: in ResNet-50 at batch 256 on an H200 forward and backward move their bytes at about
// four fifths of what a copy reaches (resources/docs/gpu-results.md).

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

struct NormalizationDevice {
    using Context = CudaContext;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    static constexpr auto layerNormForward = cuda::layerNormForward;
    static constexpr auto layerNormBackward = cuda::layerNormBackward;
    static constexpr auto layerNormWorkspaceBytes = cuda::layerNormWorkspaceBytes;
    static constexpr auto softmaxForward = cuda::softmaxForward;
    static constexpr auto softmaxBackward = cuda::softmaxBackward;
};

class CudaNormalization final : public NormalizationFamily<NormalizationDevice>
{
public:
    CudaNormalization(CudaContext& context, ElementwiseOps& elementwise)
        : NormalizationFamily(context, elementwise),
          arrived_(context.make({kMostTiles}, DType::I32))
    {
        context_.clear(arrived_.data(), arrived_.bytes());
    }

private:
    /// With a reducer the sums take the way over the host, which waits for them.
    void forward(const BatchNormParams& p, const BatchNormArgs& args, const Operands& o,
                 const Running& running, const StatReducer& reducer, BatchNormSaved& saved,
                 Tensor output) override
    {
        cuda::BatchNormUpdate update{double(p.rows),
                                     args.epsilon,
                                     args.momentum,
                                     saved.mean.f32().data(),
                                     saved.invStd.f32().data(),
                                     running.mean.f32().data(),
                                     running.var.f32().data()};
        const Tensor sums = reducer ? makeSums(p) : Tensor();
        cuda::batchNormStatistics(p, o.input.data(), sumsOf(sums), update, scratch(p),
                                  context_.stream());
        if (reducer) {
            update.count = reduceSums(reducer, sums, double(p.rows));
            if (update.count > 0.0)
                cuda::batchNormFinish(p.C, sumsOf(sums), update, context_.stream());
        }
        saved.count = update.count;
        cuda::batchNormApply(p, o.input.data(), o.residual.data(), update.mean, update.invStd,
                             o.gamma.f32().data(), o.beta.f32().data(), output.data(),
                             context_.stream());
    }

    void frozenForward(const BatchNormParams& p, const BatchNormArgs& args, const Operands& o,
                       const Running& running, Tensor output) override
    {
        cuda::frozenBatchNormForward(p, args.epsilon, o.input.data(), o.residual.data(),
                                     o.gamma.f32().data(), o.beta.f32().data(),
                                     running.mean.f32().data(), running.var.f32().data(),
                                     output.data(), context_.stream());
    }

    void backward(const BatchNormParams& p, const Backward& b, double count,
                  const StatReducer& reducer, const ParameterGradients& gradients,
                  Tensor gradInput) override
    {
        if (p.rows == 0 && !gradients.accumulate) {
            context_.clear(gradients.gamma.data(), gradients.gamma.bytes());
            context_.clear(gradients.beta.data(), gradients.beta.bytes());
        }
        const Tensor sums = reducer ? makeSums(p) : Tensor();
        const Tensor slopes = context_.make({3, p.C}, DType::F32);
        cuda::batchNormBackwardSums(
            p, b, {gradients.gamma.f32().data(), gradients.beta.f32().data(), gradients.accumulate},
            sumsOf(sums), count, slopes.f32().data(), scratch(p), context_.stream());
        if (reducer) {
            reduceSums(reducer, sums);
            cuda::batchNormSlopes(p.C, b, sumsOf(sums), count, slopes.f32().data(),
                                  context_.stream());
        }
        cuda::batchNormBackwardApply(p, b, slopes.f32().data(), gradInput.data(),
                                     context_.stream());
    }

    void frozenBackward(const BatchNormParams& p, const BatchNormArgs& args, const void* output,
                        const std::vector<Tensor>& gradOutputs, const Tensor& gamma,
                        const Tensor& runningVar, const BatchNormGradients& result) override
    {
        cuda::frozenBatchNormBackward(p, args.epsilon, output, gradOutputs[0].data(),
                                      gradOutputs.size() > 1 ? gradOutputs[1].data() : nullptr,
                                      gamma.f32().data(), runningVar.f32().data(),
                                      result.input.data(), result.residual.data(),
                                      context_.stream());
    }

    void invStdOf(const Tensor& var, double epsilon, Tensor invStd) override
    {
        cuda::batchNormInvStd(var.count(), var.f32().data(), epsilon, invStd.f32().data(),
                              context_.stream());
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
