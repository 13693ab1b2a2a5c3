// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/linear.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <omp.h>

#include "kernels/activation_op.h"
#include "kernels/check.h"
#include "kernels/cpu/linear_gradient.h"
#include "kernels/cpu/panel_linear.h"
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

MatmulParams dataProduct(const LinearParams& p, std::int64_t rows, bool packed)
{
    MatmulParams m;
    m.M = rows, m.N = p.in, m.K = p.out;
    m.inputType = m.outputType = p.dtype;
    m.packedB = packed;
    return m;
}

MatmulParams weightProduct(const LinearParams& p, std::int64_t rows, bool accumulate)
{
    MatmulParams m;
    m.M = p.out, m.N = p.in, m.K = rows;
    m.transA = true;
    m.inputType = p.dtype;
    m.accumulate = accumulate;
    return m;
}

// Backward takes rows in pieces, whose gradients the caches still hold in the products, and over
// which weight gradients are faster (GFLOP/s of 1024 x 1024 with a peak of 118, Zen 4 class,
// oneDNN 2.6.3: 101 over 2,048 rows, 107 over 512).
constexpr std::int64_t kPieceRows = 512; // of each thread

/// Products of backward over `rows` rows.
struct BackwardProducts {
    BackwardProducts(const LinearParams& p, std::int64_t n, bool packed)
        : rows(n),
          data(dataProduct(p, n, packed)),
          weight{MatmulPlan(weightProduct(p, n, false)), MatmulPlan(weightProduct(p, n, true))}
    {
    }
    std::size_t workspaceBytes() const
    {
        return std::max(
            {data.workspaceBytes(), weight[0].workspaceBytes(), weight[1].workspaceBytes()});
    }

    std::int64_t rows;
    MatmulPlan data;
    MatmulPlan weight[2]; ///< [added to what is there]
};

const void* rowsFrom(const void* matrix, std::int64_t row, std::int64_t columns, DType type)
{
    if (!matrix)
        return nullptr;
    return static_cast<const std::byte*>(matrix) + std::size_t(row * columns) * dtypeBytes(type);
}

} // namespace

struct LinearPlan::Impl {
    LinearParams params;
    std::optional<PanelLinear> own;          ///< instead of all that follows
    std::optional<MatmulPlan> forward[2][2]; ///< [bias][activation fused]
    std::int64_t pieces = 1;                 ///< of backward: all but the last are like `piece`
    std::optional<BackwardProducts> piece, last;
    bool packsWeight = false; ///< once for all pieces, whose products are ours
    std::size_t scratchBytes = 0, gradientBytes = 0, sumBytes = 0, packedBytes = 0;

    explicit Impl(const LinearParams& p) : params(p)
    {
        if (PanelLinear::suits(p)) {
            own.emplace(p);
            scratchBytes = roundUp(own->workspaceBytes());
            return;
        }
        const bool fused = p.activation != Activation::None;
        for (const bool bias : {false, true})
            for (const bool act : {false, true})
                if (act == fused || (!act && formula::backwardNeedsInput(p.activation)))
                    forward[bias][act].emplace(
                        forwardProduct(p, bias, act ? p.activation : Activation::None));
        for (const auto& plans : forward)
            for (const auto& plan : plans)
                if (plan)
                    scratchBytes = std::max(scratchBytes, plan->workspaceBytes());
        pieces = std::max<std::int64_t>(1, p.N / (kPieceRows * omp_get_max_threads()));
        const std::int64_t rows = p.N / pieces, rest = p.N - rows * (pieces - 1);
        packsWeight =
            pieces > 1 && p.dtype == DType::F32 && MatmulPlan::isOwn(dataProduct(p, rows, false));
        if (pieces > 1)
            piece.emplace(p, rows, packsWeight);
        last.emplace(p, rest, packsWeight);
        packedBytes = roundUp(last->data.packedBytes());
        for (const auto* products : {&piece, &last})
            if (*products)
                scratchBytes = std::max(scratchBytes, (*products)->workspaceBytes());
        if (p.activation != Activation::None || p.outputType != p.dtype)
            gradientBytes = roundUp(std::size_t(rest * p.out) * dtypeBytes(p.dtype));
        sumBytes = linearGradientWorkspace(rest, p.out);
    }

    void ownForward(const void* x, const float* w, const void* packed, const float* b, void* kept,
                    void* y, void* workspace) const
    {
        own->forward(x, w, packed, b, kept ? kept : y, workspace);
        const std::int64_t n = params.N * params.out;
        const void* const z = kept ? kept : y;
        if (formula::backwardNeedsInput(params.activation))
            linearActivation(params.activation, params.outputType, n, z, y);
        else if (params.activation != Activation::None && params.activation != Activation::Relu)
            activationForward(params.activation, params.outputType, n, z, y);
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
    if (impl_->own)
        return impl_->own->packedWeightBytes();
    const LinearParams& p = impl_->params;
    return p.dtype == DType::BF16 ? std::size_t(p.in * p.out) * sizeof(bf16_t) : 0;
}

std::size_t LinearPlan::workspaceBytes() const
{
    return impl_->scratchBytes + impl_->gradientBytes + impl_->sumBytes + impl_->packedBytes;
}

void LinearPlan::pack(const float* w, void* packed) const
{
    if (impl_->own)
        return impl_->own->pack(w, packed);
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
    if (impl_->own)
        return impl_->ownForward(x, w, packed, b, apart ? kept : nullptr, y, workspace);
    auto& product = impl_->forward[b != nullptr][p.activation != Activation::None && !apart];
    product->run(x, weight, b, apart ? kept : y, workspace);
    if (apart)
        linearActivation(p.activation, p.outputType, p.N * p.out, kept, y);
}

void LinearPlan::backward(const LinearBackward& b, void* workspace) const
{
    if (impl_->own)
        return impl_->own->backward(b, workspace);
    const LinearParams& p = impl_->params;
    auto* scratch = static_cast<std::byte*>(workspace);
    void* g = impl_->gradientBytes > 0 ? scratch + impl_->scratchBytes : nullptr;
    const void* weight = p.dtype == DType::F32 ? b.w : b.packed;
    if (b.dx && impl_->packsWeight) {
        void* const packed = scratch + impl_->scratchBytes + impl_->gradientBytes + impl_->sumBytes;
        impl_->last->data.packB(b.w, packed, scratch);
        weight = packed;
    }
    std::int64_t row = 0;
    for (std::int64_t i = 0; i < impl_->pieces; ++i) {
        const BackwardProducts& products = i + 1 < impl_->pieces ? *impl_->piece : *impl_->last;
        const void* dy = rowsFrom(b.dy, row, p.out, p.outputType);
        if (g || b.db)
            linearGradient(p.activation, p.outputType, p.dtype, products.rows, p.out,
                           rowsFrom(b.kept, row, p.out, p.outputType), dy, g, b.db,
                           b.accumulateBias || i > 0,
                           scratch + impl_->scratchBytes + impl_->gradientBytes);
        const void* gradient = g ? g : dy;
        if (b.dx)
            products.data.run(gradient, weight, nullptr,
                              const_cast<void*>(rowsFrom(b.dx, row, p.in, p.dtype)), scratch);
        if (b.dw)
            products.weight[b.accumulateWeight || i > 0].run(
                gradient, rowsFrom(b.x, row, p.in, p.dtype), nullptr, b.dw, scratch);
        row += products.rows;
    }
}

std::string LinearPlan::implementations() const
{
    if (impl_->own)
        return "own:panel_gemm";
    const bool fused = impl_->params.activation != Activation::None;
    return "forward=" + impl_->forward[1][fused]->implementation() +
           ", data=" + impl_->last->data.implementation() +
           ", weight=" + impl_->last->weight[0].implementation();
}

} // namespace kernels::cpu
} // namespace scalebench
