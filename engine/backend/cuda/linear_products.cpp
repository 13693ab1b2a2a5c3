// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/linear_products.h"

#include "kernels/cuda/bias_activation.h"
#include "kernels/cuda/column_sums.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

/// Scratch lies behind the library's; all parts 256-byte aligned.
std::size_t roundUp(std::size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

Gemm forwardProduct(const LinearParams& p, Epilogue epilogue)
{
    Gemm g;
    g.M = p.N, g.N = p.out, g.K = p.in;
    g.transB = true;
    g.inputType = p.dtype, g.outputType = p.outputType;
    g.epilogue = epilogue;
    return g;
}

Gemm dataProduct(const LinearParams& p)
{
    Gemm g;
    g.M = p.N, g.N = p.in, g.K = p.out;
    g.inputType = g.outputType = p.dtype;
    return g;
}

Gemm weightProduct(const LinearParams& p, bool accumulate, Epilogue epilogue)
{
    Gemm g;
    g.M = p.out, g.N = p.in, g.K = p.N;
    g.transA = true;
    g.inputType = p.dtype;
    g.accumulate = accumulate;
    g.epilogue = epilogue;
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
        return {bias ? Epilogue::ReluBias : Epilogue::Relu, Activation::None};
    if (p.activation == Activation::GeluTanh && p.outputType != DType::F32) {
        if (!keepsInput)
            return {bias ? Epilogue::GeluBias : Epilogue::Gelu, Activation::None};
        if (p.out % 8 == 0)
            return {bias ? Epilogue::GeluAuxBias : Epilogue::GeluAux, Activation::None};
    }
    return {bias ? Epilogue::Bias : Epilogue::None, p.activation};
}

} // namespace

void LinearProducts::product(const Gemm& gemm, const GemmOperands& operands)
{
    library_.run(gemm, operands, context_.workspace(library_.workspaceBytes()));
}

void LinearProducts::forward(const LinearParams& p, const void* x, const void* w, const float* b,
                             void* kept, void* y)
{
    const Fusion fusion = fusionOf(p, b != nullptr, kept != nullptr);
    const std::size_t library = library_.workspaceBytes();
    auto* scratch = static_cast<std::byte*>(
        context_.workspace(library + std::size_t(p.out) * dtypeBytes(p.outputType)));
    GemmOperands o;
    o.a = x, o.b = w, o.c = y;
    if (fusion.after != Activation::None && kept != nullptr)
        o.c = kept; // before the activation
    if (fusion.epilogue == Epilogue::GeluAux || fusion.epilogue == Epilogue::GeluAuxBias)
        o.aux = kept;
    if (b != nullptr && p.outputType == DType::F32) {
        o.bias = const_cast<float*>(b);
    } else if (b != nullptr) {
        o.bias = scratch + library;
        cuda::castFromF32(p.outputType, p.out, b, o.bias, context_.stream());
    }
    if (library_.tryRun(forwardProduct(p, fusion.epilogue), o, scratch)) {
        if (fusion.after != Activation::None)
            cuda::biasActivation(fusion.after, p.outputType, p.N, p.out, o.c, nullptr, nullptr, y,
                                 context_.stream());
        return;
    }
    GemmOperands plain;
    plain.a = x, plain.b = w, plain.c = y;
    library_.run(forwardProduct(p, Epilogue::None), plain, scratch);
    cuda::biasActivation(p.activation, p.outputType, p.N, p.out, y, b, kept, y, context_.stream());
}

void LinearProducts::backward(const LinearParams& p, const LinearGradientOperands& o)
{
    const bool converts = p.activation != Activation::None || p.outputType != p.dtype;
    const std::size_t library = library_.workspaceBytes();
    const std::size_t gradientBytes =
        converts ? roundUp(std::size_t(p.N * p.out) * dtypeBytes(p.dtype)) : 0;
    auto* scratch = static_cast<std::byte*>(
        context_.workspace(library + gradientBytes + cuda::columnSumsWorkspace(p.N, p.out)));
    void* sums = scratch + library + gradientBytes;
    const void* gradient = o.dy;
    if (converts) {
        gradient = scratch + library;
        cuda::activationBiasGradient(p.activation, p.outputType, p.dtype, p.N, p.out, o.kept, o.dy,
                                     scratch + library, o.db, o.accumulateBias, sums,
                                     context_.stream());
    }
    // The library sums a bias gradient beside the weight's, but only into what it overwrites.
    bool biasDone = converts || o.db == nullptr;
    if (o.dw != nullptr)
        biasDone |= weightGradient(p, o, gradient, !biasDone && !o.accumulateBias, scratch);
    if (!biasDone)
        cuda::columnSums(p.dtype, p.N, p.out, gradient, o.db, o.accumulateBias, sums,
                         context_.stream());
    if (o.dx != nullptr) {
        GemmOperands data;
        data.a = gradient, data.b = o.w, data.c = o.dx;
        library_.run(dataProduct(p), data, scratch);
    }
}

/// True when the bias gradient has been computed too.
bool LinearProducts::weightGradient(const LinearParams& p, const LinearGradientOperands& o,
                                    const void* gradient, bool withBias, void* scratch)
{
    GemmOperands operands;
    operands.a = gradient, operands.b = o.x, operands.c = o.dw;
    if (withBias) {
        GemmOperands both = operands;
        both.bias = o.db;
        if (library_.tryRun(weightProduct(p, o.accumulateWeight, Epilogue::SumsOfA), both, scratch))
            return p.in > 0; // an empty product sums nothing
    }
    library_.run(weightProduct(p, o.accumulateWeight, Epilogue::None), operands, scratch);
    return false;
}

} // namespace scalebench::cuda_backend
