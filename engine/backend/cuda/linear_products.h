// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The three products of a linear layer, forward and backward: of MatmulOps and of convolutions with
// a 1x1 kernel.
//
// cuBLASLt computes them. What it cannot fuse is done by our own kernels: the exact GELU, tanh and
// sigmoid, the tanh GELU in f32 (where the library's approximation is too coarse for us to claim
// fp32), and any epilogue that it has no algorithm for. Where it adds a bias to a 16-bit result,
// the bias is rounded to that type.

#include "engine/backend/cuda/cublaslt.h"
#include "kernels/linear.h"

namespace scalebench::cuda_backend {

/// Device pointers of a backward pass; null: not wanted.
struct LinearGradientOperands {
    const void* x = nullptr;
    const void* w = nullptr;    ///< in the type of x
    const void* kept = nullptr; ///< as kernels/linear.h has it
    const void* dy = nullptr;
    void* dx = nullptr;
    float* dw = nullptr;
    float* db = nullptr;
    bool accumulateWeight = false, accumulateBias = false;
};

class LinearProducts
{
public:
    explicit LinearProducts(CudaContext& context) : context_(context), library_(context) {}

    /// y = act(x w^T + b). w [out,in] in the type of x; b F32 or null; kept (may be null): gets the
    /// input of the activation. Overwrites the context's workspace.
    void forward(const LinearParams& p, const void* x, const void* w, const float* b, void* kept,
                 void* y);
    void backward(const LinearParams& p, const LinearGradientOperands& o);
    /// One product; any type that CublasLt takes.
    void product(const Gemm& gemm, const GemmOperands& operands);

private:
    bool weightGradient(const LinearParams& p, const LinearGradientOperands& o,
                        const void* gradient, bool withBias, void* scratch);

    CudaContext& context_;
    CublasLt library_;
};

} // namespace scalebench::cuda_backend
