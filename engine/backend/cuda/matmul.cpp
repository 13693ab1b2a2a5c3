// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/matmul.h"

#include "engine/backend/cuda/families.h"
#include "engine/backend/cuda/linear_products.h"
#include "kernels/cuda/bias_activation.h"

namespace scalebench::cuda_backend {
namespace {

struct MatmulDevice {
    using Context = CudaContext;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    using LinearBackward = LinearGradientOperands;
};

class CudaMatmul final : public MatmulFamily<MatmulDevice>
{
public:
    explicit CudaMatmul(CudaContext& context) : MatmulFamily(context), products_(context) {}

private:
    void forward(const LinearParams& p, const void* x, const WeightRef& weight, const float* bias,
                 void* kept, const Tensor& output) override
    {
        if (output.count() > 0)
            products_.forward(p, x, packed(p, weight), bias, kept, output.data());
    }

    void backward(const LinearParams& p, const WeightRef& weight, LinearBackward b) override
    {
        b.w = packed(p, weight);
        products_.backward(p, b);
    }

    void product(const MatmulParams& p, const void* a, const void* b, void* c) override
    {
        Gemm g;
        g.M = p.M, g.N = p.N, g.K = p.K;
        g.transA = p.transA, g.transB = p.transB;
        g.batch = p.innerBatch;
        if (g.batch > 1)
            g.strideA = p.strideA.inner, g.strideB = p.strideB.inner;
        g.inputType = p.inputType, g.outputType = p.outputType;
        GemmOperands o;
        o.a = a, o.b = b, o.c = c;
        products_.product(g, o);
    }

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

    LinearProducts products_;
    char bf16Layout_ = 0, f16Layout_ = 0; ///< their addresses stand for layouts
};

} // namespace

std::unique_ptr<MatmulOps> makeMatmulOps(CudaContext& context)
{
    return std::make_unique<CudaMatmul>(context);
}

} // namespace scalebench::cuda_backend
