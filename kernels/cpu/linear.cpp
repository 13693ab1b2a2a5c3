// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/linear.h"

#include <algorithm>
#include <optional>

#include "kernels/check.h"
#include "kernels/cpu/linear_gradient.h"
#include "kernels/elementwise.h"
#include "kernels/formula/activation.h"
#include "kernels/matmul.h"

namespace scalebench {

namespace kernels::cpu {
namespace {

std::size_t roundUp(std::size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

MatmulParams forwardProduct(const LinearParams& p, bool bias, Activation activation)
{
    MatmulParams m;
    m.M = p.N, m.N = p.out, m.K = p.in;
    m.transB = true;
    m.inputType = p.dtype, m.outputType = p.outputType;
    m.bias = bias;
    m.activation = activation;
    return m;
}

MatmulParams dataProduct(const LinearParams& p)
{
    MatmulParams m;
    m.M = p.N, m.N = p.in, m.K = p.out;
    m.inputType = m.outputType = p.dtype;
    return m;
}

MatmulParams weightProduct(const LinearParams& p, bool accumulate)
{
    MatmulParams m;
    m.M = p.out, m.N = p.in, m.K = p.N;
    m.transA = true;
    m.inputType = p.dtype;
    m.accumulate = accumulate;
    return m;
}

} // namespace

struct LinearPlan::Impl {
    LinearParams params;
    std::optional<MatmulPlan> forward[2][2]; ///< [bias][activation fused]
    std::optional<MatmulPlan> data, weight[2];
    std::size_t scratchBytes = 0, gradientBytes = 0, sumBytes = 0;

    explicit Impl(const LinearParams& p) : params(p)
    {
        const bool fused = p.activation != Activation::None;
        for (const bool bias : {false, true})
            for (const bool act : {false, true})
                if (act == fused || (!act && formula::backwardNeedsInput(p.activation)))
                    forward[bias][act].emplace(
                        forwardProduct(p, bias, act ? p.activation : Activation::None));
        data.emplace(dataProduct(p));
        for (const bool accumulate : {false, true})
            weight[accumulate].emplace(weightProduct(p, accumulate));
        for (const auto* plan : {&forward[0][0], &forward[0][1], &forward[1][0], &forward[1][1],
                                 &data, &weight[0], &weight[1]})
            if (plan->has_value())
                scratchBytes = std::max(scratchBytes, (*plan)->workspaceBytes());
        if (p.activation != Activation::None || p.outputType != p.dtype)
            gradientBytes = roundUp(std::size_t(p.N * p.out) * dtypeBytes(p.dtype));
        sumBytes = linearGradientWorkspace(p.N, p.out);
    }
};

LinearPlan::LinearPlan(const LinearParams& p)
{
    SB_REQUIRE(p.N >= 0 && p.in >= 0 && p.out >= 0, p.describe() + ": negative size");
    SB_REQUIRE(
        (p.dtype == DType::F32 && p.outputType == DType::F32) ||
            (p.dtype == DType::BF16 && (p.outputType == DType::F32 || p.outputType == DType::BF16)),
        p.describe() + ": the types must be f32 or bf16, and f32 inputs give f32");
    impl_ = std::make_unique<Impl>(p);
}

LinearPlan::~LinearPlan() = default;
LinearPlan::LinearPlan(LinearPlan&&) noexcept = default;

std::size_t LinearPlan::packedWeightBytes() const
{
    const LinearParams& p = impl_->params;
    return p.dtype == DType::BF16 ? std::size_t(p.in * p.out) * sizeof(bf16_t) : 0;
}

std::size_t LinearPlan::workspaceBytes() const
{
    return impl_->scratchBytes + impl_->gradientBytes + impl_->sumBytes;
}

void LinearPlan::pack(const float* w, void* packed) const
{
    if (impl_->params.dtype == DType::BF16)
        castF32ToBf16(impl_->params.in * impl_->params.out, w, static_cast<bf16_t*>(packed));
}

bool LinearPlan::keepsInput() const noexcept
{
    return formula::backwardNeedsInput(impl_->params.activation);
}

void LinearPlan::forward(const void* x, const float* w, const void* packed, const float* b,
                         void* kept, void* y, void* workspace) const
{
    const LinearParams& p = impl_->params;
    const void* weight = p.dtype == DType::F32 ? w : packed;
    const bool apart = kept && keepsInput();
    auto& product = impl_->forward[b != nullptr][p.activation != Activation::None && !apart];
    product->run(x, weight, b, apart ? kept : y, workspace);
    if (apart)
        linearActivation(p.activation, p.outputType, p.N * p.out, kept, y);
}

void LinearPlan::backward(const LinearBackward& b, void* workspace) const
{
    const LinearParams& p = impl_->params;
    auto* scratch = static_cast<std::byte*>(workspace);
    const bool converts = impl_->gradientBytes > 0;
    void* g = converts ? scratch + impl_->scratchBytes : nullptr;
    if (g || b.db)
        linearGradient(p.activation, p.outputType, p.dtype, p.N, p.out, b.kept, b.dy, g, b.db,
                       b.accumulateBias, scratch + impl_->scratchBytes + impl_->gradientBytes);
    const void* gradient = converts ? g : b.dy;
    if (b.dx)
        impl_->data->run(gradient, p.dtype == DType::F32 ? b.w : b.packed, nullptr, b.dx, scratch);
    if (b.dw)
        impl_->weight[b.accumulateWeight]->run(gradient, b.x, nullptr, b.dw, scratch);
}

std::string LinearPlan::implementations() const
{
    const bool fused = impl_->params.activation != Activation::None;
    return "forward=" + impl_->forward[1][fused]->implementation() +
           ", data=" + impl_->data->implementation() +
           ", weight=" + impl_->weight[0]->implementation();
}

} // namespace kernels::cpu
} // namespace scalebench
