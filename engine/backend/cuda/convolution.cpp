// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions by cuDNN; those with a 1x1 kernel and stride 1 are matrix products over the pixels,
// whose weight gradient cuBLASLt writes or adds in place, in F32. The gradients of a transposed
// convolution are those of the convolution from its output to its input, turned round; its forward
// is a product over the pixels, whose bias and ReLU come before the one rounding of the result, and
// a shuffle of the pixels.
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/backend/convolution_arguments.h"
#include "engine/backend/cuda/convolution_graphs.h"
#include "engine/backend/cuda/cudnn_plans.h"
#include "engine/backend/cuda/families.h"
#include "engine/backend/cuda/linear_products.h"
#include "engine/backend/plan_cache.h"
#include "kernels/cuda/bias_activation.h"
#include "kernels/cuda/column_sums.h"
#include "kernels/cuda/pack_weights.h"
#include "kernels/cuda/permute.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

/// As a matrix product: all pixels of all images are its rows.
bool isProduct(const Conv2dParams& p)
{
    return p.R == 1 && p.S == 1 && p.stride == 1 && p.padding == 0 && p.groups == 1;
}

LinearParams productOf(const Conv2dParams& p, bool relu)
{
    LinearParams l;
    l.N = p.N * p.H * p.W, l.in = p.C, l.out = p.K;
    l.dtype = l.outputType = p.dtype;
    l.activation = relu ? Activation::Relu : Activation::None;
    return l;
}

/// The convolution from the output of `p` to its input.
Conv2dParams backwards(const ConvTranspose2dParams& p)
{
    Conv2dParams q;
    q.N = p.N, q.H = p.outH(), q.W = p.outW(), q.C = p.K;
    q.K = p.C, q.R = q.S = q.stride = p.stride;
    q.dtype = p.dtype;
    return q;
}

Conv2dParams withoutEpilogue(Conv2dParams p)
{
    p.bias = p.relu = false;
    return p;
}

/// What all pointers are multiples of, up to what the library can make use of.
std::int64_t alignmentOf(const CudnnOperands& operands)
{
    std::uintptr_t all = 16;
    for (const auto& [id, pointer] : operands)
        all |= reinterpret_cast<std::uintptr_t>(pointer);
    return std::int64_t(all & (~all + 1)); // the lowest bit
}

/// The three computations on pointers; batches are not empty.
class Convolutions
{
public:
    explicit Convolutions(CudaContext& context) : context_(context), products_(context) {}

    void forward(const Conv2dParams& p, const void* x, const WeightRef& weight, const float* bias,
                 void* y)
    {
        if (isProduct(p)) {
            products_.forward(productOf(p, p.relu), x, packed(p, weight), bias, nullptr, y);
            return;
        }
        CudnnOperands operands{{kConvX, x}, {kConvW, packed(p, weight)}, {kConvY, y}};
        Tensor cast;
        if (bias != nullptr && p.dtype == DType::F32) {
            operands.emplace_back(kConvBias, bias);
        } else if (bias != nullptr) {
            cast = context_.make({p.K}, p.dtype);
            cuda::castFromF32(p.dtype, p.K, bias, cast.data(), context_.stream());
            operands.emplace_back(kConvBias, cast.data());
        }
        if (tryRun(p, ConvolutionKind::Forward, operands))
            return;
        operands.resize(3);
        run(withoutEpilogue(p), ConvolutionKind::Forward, operands);
        epilogue(p.relu, p.dtype, p.N * p.outH() * p.outW(), p.K, bias, y);
    }

    void data(const Conv2dParams& p, const void* dy, const WeightRef& weight, void* dx)
    {
        if (isProduct(p)) {
            LinearGradientOperands o;
            o.w = packed(p, weight), o.dy = dy, o.dx = dx;
            products_.backward(productOf(p, false), o);
            return;
        }
        run(withoutEpilogue(p), ConvolutionKind::Data,
            {{kConvY, dy}, {kConvW, packed(p, weight)}, {kConvX, dx}});
    }

    void weight(const Conv2dParams& p, const void* x, const void* dy, float* dw, bool accumulate)
    {
        if (isProduct(p)) {
            LinearGradientOperands o;
            o.x = x, o.dy = dy, o.dw = dw, o.accumulateWeight = accumulate;
            products_.backward(productOf(p, false), o);
            return;
        }
        const Tensor packedGradient = context_.make({p.weightCount()}, p.dtype);
        run(withoutEpilogue(p), ConvolutionKind::Weight,
            {{kConvX, x}, {kConvY, dy}, {kConvW, packedGradient.data()}});
        cuda::unpackConvGradient(p.dtype, p.K, p.C / p.groups, p.R * p.S, packedGradient.data(), dw,
                                 accumulate, context_.stream());
    }

    void transposed(const ConvTranspose2dParams& p, const void* x, const WeightRef& weight,
                    const float* bias, void* y)
    {
        const std::int64_t taps = p.stride * p.stride;
        LinearParams l;
        l.N = p.N * p.H * p.W, l.in = p.C, l.out = taps * p.K;
        l.dtype = l.outputType = p.dtype;
        l.activation = p.relu ? Activation::Relu : Activation::None;
        Tensor repeated; // the bias, for every tap
        if (bias != nullptr) {
            repeated = context_.make({taps, p.K}, DType::F32);
            for (std::int64_t t = 0; t < taps; ++t)
                context_.copy(bias, repeated.f32().data() + t * p.K,
                              std::size_t(p.K) * sizeof(float));
        }
        const Tensor pixels = context_.make({l.N, l.out}, p.dtype);
        products_.forward(l, x, packed(p, weight),
                          bias != nullptr ? repeated.f32().data() : nullptr, nullptr,
                          pixels.data());
        permute({p.N * p.H, p.W, p.stride, p.stride * p.K}, {0, 2, 1, 3}, p.dtype, pixels.data(),
                y);
    }

private:
    /// Bias and ReLU, in place.
    void epilogue(bool relu, DType dtype, std::int64_t rows, std::int64_t columns,
                  const float* bias, void* y)
    {
        if (relu || bias != nullptr)
            cuda::biasActivation(relu ? Activation::Relu : Activation::None, dtype, rows, columns,
                                 y, bias, nullptr, y, context_.stream());
    }

    struct Key {
        Conv2dParams p;
        ConvolutionKind kind;
        std::int64_t alignment;
        auto operator<=>(const Key&) const = default;
    };

    bool tryRun(const Conv2dParams& p, ConvolutionKind kind, const CudnnOperands& operands)
    {
        if (!library_)
            library_.emplace(context_);
        const Key key{p, kind, alignmentOf(operands)};
        const bool exact = p.dtype == DType::F32;
        CudnnPlans::Chosen& chosen = plans_.get(
            key, [&] { return library_->choose(convolutionGraph(p, kind, key.alignment), exact); });
        if (!chosen.plan)
            return false;
        if (chosen.search.now(context_))
            if (auto best =
                    library_->search(convolutionGraph(p, kind, key.alignment), exact, operands))
                chosen.plan = std::move(best);
        void* workspace = context_.workspace(std::max<std::size_t>(chosen.plan->workspaceBytes, 1));
        library_->run(*chosen.plan, operands, workspace, p.describe());
        return true;
    }

    void run(const Conv2dParams& p, ConvolutionKind kind, const CudnnOperands& operands)
    {
        if (!tryRun(p, kind, operands))
            throw Unsupported(convolutionGraph(p, kind, alignmentOf(operands)).what() + ": cuDNN " +
                              std::to_string(cudnnGetVersion()) + " has no engine for it on " +
                              context_.device().name);
    }

    /// The weight as NHWC convolutions want it, once per version and type.
    const void* packed(const Conv2dParams& p, const WeightRef& weight)
    {
        const std::int64_t taps = p.R * p.S;
        if (p.dtype == DType::F32 && taps == 1)
            return weight.value.data();
        return context_.packedWeight(
            weight, &layouts_[std::size_t(p.dtype)],
            std::size_t(p.weightCount()) * dtypeBytes(p.dtype), [&](const float* w, void* out) {
                if (taps == 1)
                    cuda::castFromF32(p.dtype, p.weightCount(), w, out, context_.stream());
                else
                    cuda::packConvWeight(p.dtype, p.K, p.C / p.groups, taps, w, out,
                                         context_.stream());
            });
    }

    /// The weight [C,K,taps] as a matrix [(taps,K),C], once per version and type.
    const void* packed(const ConvTranspose2dParams& p, const WeightRef& weight)
    {
        const auto turn = [&](const float* from, void* to) {
            permute({p.C, p.K, p.stride * p.stride}, {2, 1, 0}, DType::F32, from, to);
        };
        return context_.packedWeight(
            weight, &transposedLayouts_[std::size_t(p.dtype)],
            std::size_t(p.weightCount()) * dtypeBytes(p.dtype), [&](const float* w, void* out) {
                if (p.dtype == DType::F32)
                    return turn(w, out);
                const Tensor turned = context_.make({p.weightCount()}, DType::F32);
                turn(w, turned.data());
                cuda::castFromF32(p.dtype, p.weightCount(), turned.f32().data(), out,
                                  context_.stream());
            });
    }

    void permute(const Shape& shape, const std::vector<int>& order, DType dtype, const void* from,
                 void* to)
    {
        PermuteParams p;
        SB_REQUIRE(PermuteParams::make(shape, order, dtypeBytes(dtype), p), "too many axes");
        cuda::permute(p, from, to, context_.stream());
    }

    CudaContext& context_;
    LinearProducts products_;
    std::optional<CudnnPlans> library_; ///< made when first needed
    PlanCache<Key, CudnnPlans::Chosen> plans_;
    /// Their addresses stand for layouts, by type.
    char layouts_[8] = {}, transposedLayouts_[8] = {};
};

class CudaConvolution final : public ConvolutionOps
{
public:
    CudaConvolution(CudaContext& context, ElementwiseOps& elementwise)
        : context_(context), elementwise_(elementwise), convolutions_(context)
    {
    }

    Tensor conv2dForward(const Conv2dParams& p, const Tensor& input, const WeightRef& weight,
                         const Tensor& bias) override
    {
        const CudaContext::Timer timer(context_, "conv2d forward");
        const Tensor output = checkedForward(p, input, weight, bias);
        if (p.N > 0)
            convolutions_.forward(p, input.data(), weight, p.bias ? bias.f32().data() : nullptr,
                                  output.data());
        return output;
    }

    Tensor conv2dBackwardData(const Conv2dParams& p, const Tensor& gradOutput,
                              const WeightRef& weight) override
    {
        const CudaContext::Timer timer(context_, "conv2d data gradient");
        const Tensor gradInput = checkedData(p, gradOutput, weight);
        if (p.N > 0)
            convolutions_.data(p, gradOutput.data(), weight, gradInput.data());
        return gradInput;
    }

    void conv2dBackwardWeight(const Conv2dParams& p, const Tensor& input, const Tensor& gradOutput,
                              Tensor gradWeight, bool accumulate) override
    {
        const CudaContext::Timer timer(context_, "conv2d weight gradient");
        if (checkedWeight(p, input, gradOutput, gradWeight, accumulate))
            convolutions_.weight(p, input.data(), gradOutput.data(), gradWeight.f32().data(),
                                 accumulate);
    }

    Tensor convTranspose2dForward(const ConvTranspose2dParams& p, const Tensor& input,
                                  const WeightRef& weight, const Tensor& bias) override
    {
        const CudaContext::Timer timer(context_, "conv transpose2d forward");
        const Tensor output = checkedForward(p, input, weight, bias);
        if (p.N > 0)
            convolutions_.transposed(p, input.data(), weight, p.bias ? bias.f32().data() : nullptr,
                                     output.data());
        return output;
    }

    Tensor convTranspose2dBackwardData(const ConvTranspose2dParams& p, const Tensor& gradOutput,
                                       const WeightRef& weight) override
    {
        const CudaContext::Timer timer(context_, "conv transpose2d data gradient");
        const Tensor gradInput = checkedData(p, gradOutput, weight);
        if (p.N > 0)
            convolutions_.forward(backwards(p), gradOutput.data(), weight, nullptr,
                                  gradInput.data());
        return gradInput;
    }

    void convTranspose2dBackwardWeight(const ConvTranspose2dParams& p, const Tensor& input,
                                       const Tensor& gradOutput, Tensor gradWeight,
                                       bool accumulate) override
    {
        const CudaContext::Timer timer(context_, "conv transpose2d weight gradient");
        if (checkedWeight(p, input, gradOutput, gradWeight, accumulate))
            convolutions_.weight(backwards(p), gradOutput.data(), input.data(),
                                 gradWeight.f32().data(), accumulate);
    }

    Tensor biasReluBackward(const Tensor& output, std::vector<Tensor> gradOutputs, Tensor gradBias,
                            bool accumulate) override
    {
        const CudaContext::Timer timer(context_, "conv2d bias gradient");
        Tensor gradient = elementwise_.sum(std::move(gradOutputs));
        requireActivation("convolution gradient", gradient, 4);
        const std::int64_t rows = rowsOf(gradient), K = gradient.shape().back();
        if (gradBias.defined())
            requireChannels("convolution bias gradient", gradBias, K);
        float* sums = gradBias.defined() ? gradBias.f32().data() : nullptr;
        void* scratch = context_.workspace(cuda::columnSumsWorkspace(rows, K));
        if (output.defined()) {
            requireSame("convolution gradient", output, gradient);
            const Tensor masked =
                gradient.unique() ? gradient : context_.make(gradient.shape(), gradient.dtype());
            cuda::activationBiasGradient(Activation::Relu, gradient.dtype(), gradient.dtype(), rows,
                                         K, output.data(), gradient.data(), masked.data(), sums,
                                         accumulate, scratch, context_.stream());
            return masked;
        }
        if (sums != nullptr)
            cuda::columnSums(gradient.dtype(), rows, K, gradient.data(), sums, accumulate, scratch,
                             context_.stream());
        return gradient;
    }

private:
    template <class Params>
    Tensor checkedForward(const Params& p, const Tensor& input, const WeightRef& weight,
                          const Tensor& bias)
    {
        validate(p);
        requireActivation("convolution", input, 4);
        requireConvolution(p, input, inputShape(p), weight.value);
        if (p.bias)
            requireChannels("convolution bias", bias, p.K);
        return context_.make(outputShape(p), p.dtype);
    }

    template <class Params>
    Tensor checkedData(const Params& p, const Tensor& gradOutput, const WeightRef& weight)
    {
        validate(p);
        requireActivation("convolution gradient", gradOutput, 4);
        requireConvolution(p, gradOutput, outputShape(p), weight.value);
        return context_.make(inputShape(p), p.dtype);
    }

    /// False when the batch is empty, and all is done.
    template <class Params>
    bool checkedWeight(const Params& p, const Tensor& input, const Tensor& gradOutput,
                       const Tensor& gradWeight, bool accumulate)
    {
        validate(p);
        requireActivation("convolution", input, 4);
        requireConvolution(p, input, inputShape(p), gradWeight);
        requireConvolution(p, gradOutput, outputShape(p), gradWeight);
        if (p.N == 0 && !accumulate)
            context_.clear(gradWeight.data(), gradWeight.bytes());
        return p.N > 0;
    }

    CudaContext& context_;
    ElementwiseOps& elementwise_;
    Convolutions convolutions_;
};

} // namespace

std::unique_ptr<ConvolutionOps> makeConvolutionOps(CudaContext& context,
                                                   ElementwiseOps& elementwise)
{
    return std::make_unique<CudaConvolution>(context, elementwise);
}

} // namespace scalebench::cuda_backend
