// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"
#include "engine/backend/cuda/linear_products.h"
#include "engine/backend/matmul_arguments.h"
#include "kernels/activation_op.h"
#include "kernels/cuda/bias_activation.h"

namespace scalebench::cuda_backend {
namespace {

class CudaMatmul final : public MatmulOps
{
public:
    explicit CudaMatmul(CudaContext& context) : context_(context), products_(context) {}

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
            products_.forward(p, input.data(), packed(p, weight),
                              bias.defined() ? bias.f32().data() : nullptr,
                              apart ? kept->data() : nullptr, output.data());
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
        LinearGradientOperands o;
        o.x = input.data(), o.kept = kept.data(), o.dy = gradOutput.data();
        o.w = packed(p, weight);
        Tensor gradInput;
        if (needInput) {
            gradInput = context_.make(input.shape(), p.dtype);
            o.dx = gradInput.data();
        }
        if (gradients.weight.defined()) {
            requireChannels("linear weight gradient", gradients.weight, p.in * p.out);
            o.dw = gradients.weight.f32().data();
        }
        if (gradients.bias.defined()) {
            requireChannels("linear bias gradient", gradients.bias, p.out);
            o.db = gradients.bias.f32().data();
        }
        o.accumulateWeight = gradients.accumulateWeight;
        o.accumulateBias = gradients.accumulateBias;
        products_.backward(p, o);
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
        GemmOperands o;
        o.a = a.data(), o.b = b.data(), o.c = c.data();
        products_.product(g, o);
        return c;
    }

private:
    /// The weight in the compute type, once per version for all shapes of input.
    const void* packed(const LinearParams& p, const WeightRef& weight)
    {
        if (p.dtype == DType::F32)
            return weight.value.data();
        return context_.packedWeight(
            weight, p.dtype == DType::BF16 ? &bf16Layout_ : &f16Layout_,
            std::size_t(p.in * p.out) * dtypeBytes(p.dtype), [&](const float* w, void* out) {
                kernels::cuda::castFromF32(p.dtype, p.in * p.out, w, out, context_.stream());
            });
    }

    CudaContext& context_;
    LinearProducts products_;
    char bf16Layout_ = 0, f16Layout_ = 0; ///< their addresses stand for layouts
};

} // namespace

std::unique_ptr<MatmulOps> makeMatmulOps(CudaContext& context)
{
    return std::make_unique<CudaMatmul>(context);
}

} // namespace scalebench::cuda_backend
