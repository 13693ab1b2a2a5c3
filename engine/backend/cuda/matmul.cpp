// SPDX-License-Identifier: GPL-3.0-or-later
// Products by cuBLASLt; what it cannot fuse is done by our own kernels: the exact GELU, tanh and
// sigmoid, the tanh GELU in f32 (where the library's approximation is too coarse for us to claim
// fp32), and any epilogue that it has no algorithm for. Where it adds a bias to a 16-bit result,
// the bias is rounded to that type.
#include <utility>

#include "engine/backend/cuda/cublaslt.h"
#include "engine/backend/cuda/families.h"
#include "engine/backend/matmul_arguments.h"
#include "kernels/activation_op.h"
#include "kernels/cuda/bias_activation.h"
#include "kernels/cuda/column_sums.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

/// Scratch behind the library's, 256-byte aligned.
std::size_t roundUp(std::size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

Gemm forwardProduct(const LinearParams& p)
{
    Gemm g;
    g.M = p.N, g.N = p.out, g.K = p.in;
    g.transB = true;
    g.inputType = p.dtype, g.outputType = p.outputType;
    return g;
}

Gemm dataProduct(const LinearParams& p)
{
    Gemm g;
    g.M = p.N, g.N = p.in, g.K = p.out;
    g.inputType = g.outputType = p.dtype;
    return g;
}

Gemm weightProduct(const LinearParams& p, bool accumulate)
{
    Gemm g;
    g.M = p.out, g.N = p.in, g.K = p.N;
    g.transA = true;
    g.inputType = p.dtype;
    g.accumulate = accumulate;
    return g;
}

/// How the library does bias and activation; `after` is what remains.
struct Fusion {
    Epilogue epilogue = Epilogue::None;
    Activation after = Activation::None;
};

Fusion fusionOf(const LinearParams& p, bool bias, bool keepsInput)
{
    if (p.activation == Activation::Relu)
        return {bias ? Epilogue::ReluBias : Epilogue::Relu};
    if (p.activation == Activation::GeluTanh && p.outputType != DType::F32) {
        if (!keepsInput)
            return {bias ? Epilogue::GeluBias : Epilogue::Gelu};
        if (p.out % 8 == 0)
            return {bias ? Epilogue::GeluAuxBias : Epilogue::GeluAux};
    }
    return {bias ? Epilogue::Bias : Epilogue::None, p.activation};
}

class CudaMatmul final : public MatmulOps
{
public:
    explicit CudaMatmul(CudaContext& context) : context_(context), library_(context) {}

    Tensor linearForward(const LinearArgs& args, const Tensor& input, const WeightRef& weight,
                         const Tensor& bias, Tensor* kept) override
    {
        const CudaContext::Timer timer(context_, "linear forward");
        requireActivation("linear", input, 0);
        const LinearParams p = linearParams(args, input, weight.value);
        if (bias.defined())
            requireChannels("linear bias", bias, p.out);
        Tensor output = context_.make(withLast(input.shape(), p.out), p.outputType);
        const bool apart = kept && activationKeepsInput(p.activation);
        if (apart)
            *kept = context_.make(output.shape(), p.outputType);
        else if (kept && p.activation != Activation::None)
            *kept = output;
        if (output.count() > 0)
            forward(p, input.data(), packed(p, weight), bias, apart ? kept->data() : nullptr,
                    output.data());
        return output;
    }

    Tensor linearBackward(const LinearArgs& args, const Tensor& input, const WeightRef& weight,
                          const Tensor& kept, const Tensor& gradOutput, bool needInput,
                          const LinearGradients& gradients) override
    {
        const CudaContext::Timer timer(context_, "linear backward");
        requireActivation("linear", input, 0);
        const LinearParams p = linearParams(args, input, weight.value);
        SB_REQUIRE(gradOutput.dtype() == p.outputType &&
                       gradOutput.shape() == withLast(input.shape(), p.out),
                   p.describe() + ": unexpected gradient " + gradOutput.describe());
        if (p.activation != Activation::None)
            requireSame("linear backward (kept)", kept, gradOutput);
        if (gradients.weight.defined())
            requireChannels("linear weight gradient", gradients.weight, p.in * p.out);
        if (gradients.bias.defined())
            requireChannels("linear bias gradient", gradients.bias, p.out);

        const bool converts = p.activation != Activation::None || p.outputType != p.dtype;
        // The library sums a bias gradient beside the weight's, but only into what it overwrites.
        bool sumsInProduct = !converts && gradients.weight.defined() &&
                             gradients.bias.defined() && !gradients.accumulateBias && p.N > 0;
        const std::size_t library = library_.workspaceBytes();
        const std::size_t gradientBytes =
            converts ? roundUp(std::size_t(p.N * p.out) * dtypeBytes(p.dtype)) : 0;
        auto* scratch = static_cast<std::byte*>(context_.workspace(
            library + gradientBytes + cuda::columnSumsWorkspace(p.N, p.out)));
        void* sums = scratch + library + gradientBytes;
        const void* gradient = gradOutput.data();
        if (converts) {
            gradient = scratch + library;
            cuda::activationBiasGradient(
                p.activation, p.outputType, p.dtype, p.N, p.out, kept.data(), gradOutput.data(),
                scratch + library,
                gradients.bias.defined() ? gradients.bias.f32().data() : nullptr,
                gradients.accumulateBias, sums, context_.stream());
        }
        if (gradients.weight.defined()) {
            Gemm g = weightProduct(p, gradients.accumulateWeight);
            GemmOperands o{gradient, input.data(), gradients.weight.data()};
            if (sumsInProduct) {
                Gemm both = g;
                both.epilogue = Epilogue::SumsOfA;
                o.bias = gradients.bias.data();
                sumsInProduct = library_.tryRun(both, o, scratch);
                o.bias = nullptr;
            }
            if (!sumsInProduct)
                library_.run(g, o, scratch);
        }
        if (gradients.bias.defined() && !converts && !sumsInProduct)
            cuda::columnSums(p.dtype, p.N, p.out, gradient, gradients.bias.f32().data(),
                             gradients.accumulateBias, sums, context_.stream());
        Tensor gradInput;
        if (needInput) {
            gradInput = context_.make(input.shape(), p.dtype);
            library_.run(dataProduct(p), {gradient, packed(p, weight), gradInput.data()}, scratch);
        }
        return gradInput;
    }

    Tensor matmul(const MatmulArgs& args, const Tensor& a, const Tensor& b) override
    {
        const CudaContext::Timer timer(context_, "matmul");
        requireActivation("matmul", a, 0);
        requireActivation("matmul", b, 0);
        const MatmulParams p = matmulParams(args, a, b);
        Tensor c = context_.make(matmulShape(args, a, p.N), p.outputType);
        Gemm g;
        g.M = p.M, g.N = p.N, g.K = p.K;
        g.transA = p.transA, g.transB = p.transB;
        g.batch = p.innerBatch;
        if (g.batch > 1)
            g.strideA = p.strideA.inner, g.strideB = p.strideB.inner;
        g.inputType = p.inputType, g.outputType = p.outputType;
        library_.run(g, {a.data(), b.data(), c.data()},
                     context_.workspace(library_.workspaceBytes()));
        return c;
    }

private:
    void forward(const LinearParams& p, const void* x, const void* w, const Tensor& bias,
                 void* kept, void* y)
    {
        const Fusion fusion = fusionOf(p, bias.defined(), kept != nullptr);
        const std::size_t library = library_.workspaceBytes();
        auto* scratch = static_cast<std::byte*>(context_.workspace(
            library + std::size_t(p.out) * dtypeBytes(p.outputType)));
        const float* master = bias.defined() ? bias.f32().data() : nullptr;
        Gemm g = forwardProduct(p);
        GemmOperands o{x, w, y};
        if (fusion.after != Activation::None && kept)
            o.c = kept;
        g.epilogue = fusion.epilogue;
        if (g.epilogue == Epilogue::GeluAux || g.epilogue == Epilogue::GeluAuxBias)
            o.aux = kept;
        if (bias.defined() && p.outputType != DType::F32) {
            o.bias = scratch + library;
            cuda::castFromF32(p.outputType, p.out, master, o.bias, context_.stream());
        } else if (bias.defined()) {
            o.bias = bias.data();
        }
        if (library_.tryRun(g, o, scratch)) {
            if (fusion.after != Activation::None)
                cuda::biasActivation(fusion.after, p.outputType, p.N, p.out, o.c, nullptr, nullptr,
                                     y, context_.stream());
            return;
        }
        g.epilogue = Epilogue::None;
        library_.run(g, {x, w, y}, scratch);
        cuda::biasActivation(p.activation, p.outputType, p.N, p.out, y, master, kept, y,
                             context_.stream());
    }

    /// The weight in the compute type, once per version for all shapes of input.
    const void* packed(const LinearParams& p, const WeightRef& weight)
    {
        if (p.dtype == DType::F32)
            return weight.value.data();
        return context_.packedWeight(
            weight, p.dtype == DType::BF16 ? &bf16Layout_ : &f16Layout_,
            std::size_t(p.in * p.out) * dtypeBytes(p.dtype), [&](const float* w, void* out) {
                cuda::castFromF32(p.dtype, p.in * p.out, w, out, context_.stream());
            });
    }

    CudaContext& context_;
    CublasLt library_;
    char bf16Layout_ = 0, f16Layout_ = 0; ///< their addresses stand for layouts
};

} // namespace

std::unique_ptr<MatmulOps> makeMatmulOps(CudaContext& context)
{
    return std::make_unique<CudaMatmul>(context);
}

} // namespace scalebench::cuda_backend
