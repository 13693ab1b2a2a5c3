// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "engine/backend/cpu/families.h"
#include "kernels/linear.h"
#include "kernels/matmul.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

Shape withLast(Shape shape, std::int64_t last)
{
    shape.back() = last;
    return shape;
}

LinearParams linearParams(const LinearArgs& args, const Tensor& input, const Tensor& weight)
{
    requireActivation("linear", input, 0);
    SB_REQUIRE(weight.defined() && weight.dtype() == DType::F32 && weight.shape().size() == 2 &&
                   input.shape().size() >= 2 && weight.dim(1) == input.shape().back(),
               "linear: weight " + weight.describe() + " does not fit input " + input.describe());
    LinearParams p;
    p.in = weight.dim(1), p.out = weight.dim(0);
    p.N = 1;
    for (std::size_t i = 0; i + 1 < input.shape().size(); ++i)
        p.N *= input.dim(i);
    p.dtype = input.dtype(), p.outputType = args.outputType;
    p.activation = args.activation;
    if (p.dtype == DType::F32 && p.outputType != DType::F32)
        throw Unsupported(p.describe() + ": an f32 input gives an f32 output");
    return p;
}

/// Sizes of a (batched) product, checked.
MatmulParams matmulParams(const MatmulArgs& args, const Tensor& a, const Tensor& b)
{
    const std::string what = "matmul of " + a.describe() + " and " + b.describe();
    requireActivation("matmul", a, 0);
    requireActivation("matmul", b, 0);
    const std::size_t rank = a.shape().size(), rankB = b.shape().size();
    SB_REQUIRE(rank >= 2 && (rankB == rank || rankB == 2) && a.dtype() == b.dtype(),
               what + ": both need one type, and the same leading axes or two axes for the second");
    for (std::size_t i = 0; rankB == rank && i + 2 < rank; ++i)
        SB_REQUIRE(a.dim(i) == b.dim(i), what + ": the leading axes must agree");
    MatmulParams p;
    p.transA = args.transA, p.transB = args.transB;
    p.M = a.dim(args.transA ? rank - 1 : rank - 2);
    p.K = a.dim(args.transA ? rank - 2 : rank - 1);
    p.N = b.dim(args.transB ? rankB - 2 : rankB - 1);
    SB_REQUIRE(b.dim(args.transB ? rankB - 1 : rankB - 2) == p.K,
               what + ": the inner sizes must agree");
    for (std::size_t i = 0; i + 2 < rank; ++i)
        p.innerBatch *= a.dim(i);
    p.strideA.inner = p.M * p.K, p.strideC.inner = p.M * p.N;
    p.strideB.inner = rankB == rank ? p.K * p.N : 0;
    p.inputType = a.dtype(), p.outputType = args.outputType;
    if (rankB == 2 && !args.transA) { // one long product
        p.M *= p.innerBatch;
        p.innerBatch = 1;
    }
    return p;
}

class CpuMatmul final : public MatmulOps
{
public:
    explicit CpuMatmul(CpuContext& context) : context_(context) {}

    Tensor linearForward(const LinearArgs& args, const Tensor& input, const WeightRef& weight,
                         const Tensor& bias, Tensor* kept) override
    {
        const CpuContext::Timer timer(context_, "linear forward");
        const LinearParams p = linearParams(args, input, weight.value);
        if (bias.defined())
            requireChannels("linear bias", bias, p.out);
        const auto& plan = linearPlan(p);
        Tensor output = context_.make(withLast(input.shape(), p.out), p.outputType);
        const bool apart = kept && plan.keepsInput();
        if (apart)
            *kept = context_.make(output.shape(), p.outputType);
        plan.forward(input.data(), weight.value.f32().data(), packed(plan, weight),
                     bias.defined() ? bias.f32().data() : nullptr, apart ? kept->data() : nullptr,
                     output.data(), context_.workspace(plan.workspaceBytes()));
        if (kept && !apart && p.activation != Activation::None)
            *kept = output;
        return output;
    }

    Tensor linearBackward(const LinearArgs& args, const Tensor& input, const WeightRef& weight,
                          const Tensor& kept, const Tensor& gradOutput, bool needInput,
                          const LinearGradients& gradients) override
    {
        const CpuContext::Timer timer(context_, "linear backward");
        const LinearParams p = linearParams(args, input, weight.value);
        SB_REQUIRE(gradOutput.dtype() == p.outputType &&
                       gradOutput.shape() == withLast(input.shape(), p.out),
                   p.describe() + ": unexpected gradient " + gradOutput.describe());
        if (p.activation != Activation::None)
            requireSame("linear backward (kept)", kept, gradOutput);
        const auto& plan = linearPlan(p);
        cpu::LinearBackward b;
        b.x = input.data();
        b.w = weight.value.f32().data();
        b.packed = packed(plan, weight);
        b.kept = kept.data();
        b.dy = gradOutput.data();
        Tensor gradInput;
        if (needInput) {
            gradInput = context_.make(input.shape(), p.dtype);
            b.dx = gradInput.data();
        }
        if (gradients.weight.defined()) {
            requireChannels("linear weight gradient", gradients.weight, p.in * p.out);
            b.dw = gradients.weight.f32().data();
        }
        if (gradients.bias.defined()) {
            requireChannels("linear bias gradient", gradients.bias, p.out);
            b.db = gradients.bias.f32().data();
        }
        b.accumulateWeight = gradients.accumulateWeight;
        b.accumulateBias = gradients.accumulateBias;
        plan.backward(b, context_.workspace(plan.workspaceBytes()));
        return gradInput;
    }

    Tensor matmul(const MatmulArgs& args, const Tensor& a, const Tensor& b) override
    {
        const CpuContext::Timer timer(context_, "matmul");
        const MatmulParams p = matmulParams(args, a, b);
        if (p.inputType == DType::F32 && p.outputType != DType::F32)
            throw Unsupported(p.describe() + ": f32 inputs give an f32 result");
        Shape shape = a.shape();
        shape[shape.size() - 2] = a.dim(shape.size() - (args.transA ? 1 : 2));
        shape.back() = p.N;
        Tensor c = context_.make(std::move(shape), p.outputType);
        auto it = matmulPlans_.find(p);
        if (it == matmulPlans_.end())
            it = matmulPlans_.emplace(p, cpu::MatmulPlan(p)).first;
        it->second.run(a.data(), b.data(), nullptr, c.data(),
                       context_.workspace(it->second.workspaceBytes()));
        return c;
    }

private:
    const cpu::LinearPlan& linearPlan(const LinearParams& p)
    {
        auto it = linearPlans_.find(p);
        if (it == linearPlans_.end())
            it = linearPlans_.emplace(p, cpu::LinearPlan(p)).first;
        return it->second;
    }

    /// The weight in bf16, once per version for all shapes of input; null in f32.
    const void* packed(const cpu::LinearPlan& plan, const WeightRef& weight)
    {
        if (plan.packedWeightBytes() == 0)
            return nullptr;
        return context_.packedWeight(weight, this, plan.packedWeightBytes(),
                                     [&](const float* w, void* out) { plan.pack(w, out); });
    }

    CpuContext& context_;
    std::map<LinearParams, cpu::LinearPlan> linearPlans_;
    std::map<MatmulParams, cpu::MatmulPlan> matmulPlans_;
};

} // namespace

std::unique_ptr<MatmulOps> makeMatmulOps(CpuContext& context)
{
    return std::make_unique<CpuMatmul>(context);
}

} // namespace scalebench::cpu_backend
